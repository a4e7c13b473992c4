package org.idallocator.core.scheme;

import java.util.function.Function;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;

/**
 * What a caller may ask of a scheme beyond a count: the text from which a variant is read.
 *
 * @param name as in a query: {@code metabyte}
 * @param values the allowed values
 * @param defaultVariant the variant when the caller names none
 * @param parse the variant of a value; throws {@link BadValueException} naming the value and what is allowed
 */
public record Parameter(String name, Allowed values, Variant defaultVariant, Function<String, Variant> parse) {

    /** The allowed values in words: {@code 0..255}. */
    public String allowed() {
        return values.words();
    }
}
