package org.idallocator.core.generator;

/** The check of a count of IDs, made before anything is taken: 1 or more. */
final class Count {
    private Count() {}

    /** Returns the count, or throws {@link IllegalArgumentException} naming it and what is allowed. */
    static int require(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be 1 or more: " + count);
        }
        return count;
    }
}
