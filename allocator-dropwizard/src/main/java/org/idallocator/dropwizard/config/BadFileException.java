package org.idallocator.dropwizard.config;

import java.io.IOException;
import java.util.List;

/** A configuration file cannot be used. */
public final class BadFileException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final List<String> errors;

    /** {@code errors} are one or more. */
    BadFileException(String file, List<String> errors, Exception cause) {
        super(file + ": " + String.join("; ", errors), cause);
        this.file = file;
        this.errors = List.copyOf(errors);
    }

    /** The file, as the caller named it. */
    public String file() {
        return file;
    }

    /** What is wrong with the file, one or more errors in one line each. No error repeats a secret. */
    public List<String> errors() {
        return errors;
    }
}
