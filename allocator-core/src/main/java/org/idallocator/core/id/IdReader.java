package org.idallocator.core.id;

/** Makes a value of an ID's bits; {@link Id} says how they are aligned. */
@FunctionalInterface
public interface IdReader<T extends Id> {
    /**
     * The ID of these bits.
     *
     * @throws IdFormatException if the scheme excludes them
     */
    T of(long high, long low);
}
