package org.idallocator.dropwizard.logging;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What is wrong with a file or a directory, in words for an operator. */
public final class FileTrouble {
    private FileTrouble() {}

    /** The message of an exception, with what Java tells by the exception's class alone. */
    public static String inWords(IOException trouble) {
        String message = String.valueOf(trouble.getMessage());
        if (trouble instanceof AccessDeniedException) {
            return message + ": permission denied";
        } else if (trouble instanceof NoSuchFileException) {
            return message + ": no such file or directory";
        } else if (trouble instanceof FileAlreadyExistsException || trouble instanceof NotDirectoryException) {
            return message + " is not a directory"; // one was to be made, or to be read
        }
        return message;
    }
}
