package org.idallocator.core.scheme;

import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * What a caller may ask of a scheme beyond a count. Its value reaches the generator as the draw's variant.
 *
 * @param name as in a query: {@code metabyte}
 * @param allowed the allowed values in words: {@code 0..255}
 * @param defaultVariant the variant when the caller names none
 * @param parse the variant of a value; throws {@link IllegalArgumentException} naming the value and what is allowed
 * @param largestCount the largest count that goes with a variant
 * @param grouped whether the IDs of a variant belong together: the draw then gives one more, that of the whole, first
 */
public record Parameter(
        String name,
        String allowed,
        int defaultVariant,
        Function<String, Integer> parse,
        IntUnaryOperator largestCount,
        IntPredicate grouped) {

    /** The error that every bad value gets. */
    static IllegalArgumentException refused(String name, String allowed, String value) {
        return new IllegalArgumentException(name + " must be " + allowed + ": " + value);
    }
}
