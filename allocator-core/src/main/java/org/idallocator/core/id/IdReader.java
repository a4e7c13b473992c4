package org.idallocator.core.id;

/** Makes an ID from its bits; {@link Id} says how they are aligned. */
@FunctionalInterface
public interface IdReader<T extends Id> {
    /**
     * The ID of these bits.
     *
     * @throws IdFormatException if the scheme excludes these bits
     */
    T of(long high, long low);
}
