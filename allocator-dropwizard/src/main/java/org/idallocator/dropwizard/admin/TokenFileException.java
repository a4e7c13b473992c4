package org.idallocator.dropwizard.admin;

import java.io.IOException;

/** The token of the admin port cannot be written to its file. The message names the file and says why. */
public final class TokenFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The file cannot be written, because of {@code cause}. */
    public TokenFileException(String message, IOException cause) {
        super(message, cause);
    }
}
