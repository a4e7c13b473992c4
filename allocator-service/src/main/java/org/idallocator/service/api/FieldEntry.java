package org.idallocator.service.api;

import java.util.List;
import org.idallocator.core.scheme.Field;

/**
 * One field of a layout.
 *
 * @param bits its first and its last bit, counted from the most significant bit of the ID, 0 first
 */
public record FieldEntry(String name, List<Integer> bits) {
    static FieldEntry of(Field<?> field) {
        return new FieldEntry(field.name(), List.of(field.firstBit(), field.lastBit()));
    }
}
