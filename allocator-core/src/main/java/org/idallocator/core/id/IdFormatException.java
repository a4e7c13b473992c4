package org.idallocator.core.id;

/**
 * Thrown for text, bytes or bits that are not an ID of the expected scheme. The message says what was expected and what
 * was found. The exception carries no stack trace, so that trying a text in several ways is cheap.
 */
public final class IdFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private static final int AS_A_WHOLE = -1;

    private final int position;

    IdFormatException(String message, int position) {
        super(message);
        this.position = position;
    }

    IdFormatException(String message) {
        this(message, AS_A_WHOLE);
    }

    /** The index of the first wrong character, from 0; -1 if the input as a whole is wrong, as its length or range. */
    public int position() {
        return position;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
