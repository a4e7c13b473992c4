package org.idallocator.core.scheme;

import org.idallocator.core.id.Id;

/**
 * One field of an ID's layout.
 *
 * @param name as in the specification's words
 * @param firstBit counted from the most significant bit of the ID, 0 first, inclusive
 * @param lastBit likewise, inclusive
 * @param value reads it, as an unsigned number, from an ID
 */
public record Field<T extends Id>(String name, int firstBit, int lastBit, java.util.function.ToLongFunction<T> value) {}
