package org.idallocator.core.scheme;

import java.util.function.Function;
import org.idallocator.core.id.Id;

/**
 * A text form of an ID.
 *
 * @param name the name in {@code form=}
 * @param shortest the length of the shortest text that {@code write} gives, in ASCII characters
 * @param longest the length of the longest one; the same as {@code shortest} in a form of fixed length
 * @param write gives the text
 * @param parse reads what {@code write} gives, and what the ID's own page says besides; throws {@link
 *     org.idallocator.core.id.IdFormatException}
 */
public record Form<T extends Id>(
        String name, int shortest, int longest, Function<T, String> write, Function<String, T> parse) {
    /** The name of the form whose text is canonical. Every scheme has this form, and {@link Scheme#forms} leaves it out. */
    public static final String CANONICAL = "canonical";

    /** A form whose texts have one length. */
    public Form(String name, int length, Function<T, String> write, Function<String, T> parse) {
        this(name, length, length, write, parse);
    }

    /** Whether all texts have one length. */
    public boolean fixed() {
        return shortest == longest;
    }
}
