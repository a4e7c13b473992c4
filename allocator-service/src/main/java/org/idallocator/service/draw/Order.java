package org.idallocator.service.draw;

import org.idallocator.core.generator.Variant;

/**
 * What one request asks of a scheme.
 *
 * @param count how many IDs, 1 or more; of a transaction, how many objects
 * @param listed whether a count was named: then the answer is a list, even of one
 * @param variant the scheme's parameter, as its {@code Parameter} gives it
 * @param transaction whether an ID of the whole comes before those of its objects
 */
public record Order(int count, boolean listed, Variant variant, boolean transaction) {
    /** The largest count that is collected, to be answered as a whole or not at all. */
    public static final int LARGEST_COLLECTED = 10_000;

    /** How many IDs the answer has. */
    public int ids() {
        return transaction ? count + 1 : count;
    }

    /** Whether there are so many that the answer must be written while they are drawn. */
    public boolean streamed() {
        return count > LARGEST_COLLECTED;
    }
}
