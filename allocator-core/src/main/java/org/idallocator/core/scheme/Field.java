package org.idallocator.core.scheme;

import org.idallocator.core.id.Id;

/**
 * One field of an ID's layout.
 *
 * @param name the name in the specification's words
 * @param firstBit the first bit, inclusive; bit 0 is the most significant one of the ID
 * @param lastBit the last bit, inclusive, counted likewise
 * @param value reads the field, an unsigned number, from an ID
 */
public record Field<T extends Id>(String name, int firstBit, int lastBit, java.util.function.ToLongFunction<T> value) {}
