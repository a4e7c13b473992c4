package org.idallocator.core.id;

import java.time.Instant;

/**
 * An identifier: an unsigned integer, right-aligned in 128 bits. Implementations are immutable, hence thread-safe,
 * equal if their type and bits are, and ordered by their unsigned bytes.
 */
public interface Id {
    /** The upper 64 of the 128 bits; 0 in schemes of at most 8 bytes. */
    long high();

    /** The lower 64 of the 128 bits. */
    long low();

    /** A new array of the scheme's size, the most significant byte first. */
    byte[] toBytes();

    /** The time that the ID carries, in the scheme's resolution, rounded down. */
    Instant time();
}
