package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.time.Instant;

/**
 * An identifier: an unsigned integer, right-aligned in 128 bits. Implementations are immutable and so thread-safe. Two
 * IDs are equal if their types and bits are equal. IDs are ordered by their unsigned bytes.
 *
 * <p>Jackson may call only what is annotated. Otherwise Jackson would read JSON numbers and objects through
 * constructors.
 */
@JsonAutoDetect(creatorVisibility = JsonAutoDetect.Visibility.NONE)
public interface Id {
    /** The upper 64 of the 128 bits; 0 in schemes of at most 8 bytes. */
    long high();

    /** The lower 64 of the 128 bits. */
    long low();

    /** A new array of the scheme's size in bytes, the most significant byte first. */
    byte[] toBytes();

    /** The time that the ID carries, in the scheme's resolution, rounded down. */
    Instant time();
}
