package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalInt;
import org.junit.jupiter.api.function.Executable;

/** A row in a table of errors: the exact message, and for text that is no ID the position of the first wrong character. */
record Refusal(String message, OptionalInt position, Executable attempt) {
    /** The whole input is wrong, not one character. */
    private static final int AS_A_WHOLE = -1;

    static Refusal at(int position, String message, Executable attempt) {
        return new Refusal(message, OptionalInt.of(position), attempt);
    }

    static Refusal whole(String message, Executable attempt) {
        return new Refusal(message, OptionalInt.of(AS_A_WHOLE), attempt);
    }

    static Refusal field(String message, Executable attempt) {
        return new Refusal(message, OptionalInt.empty(), attempt);
    }

    void check() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, attempt);

        assertEquals(message, refused.getMessage());
        assertEquals(position, positionOf(refused));
    }

    private static OptionalInt positionOf(IllegalArgumentException refused) {
        return refused instanceof IdFormatException format ? OptionalInt.of(format.position()) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return message;
    }
}
