package org.idallocator.service.api;

import java.util.List;
import org.idallocator.core.scheme.Field;

/**
 * One field of a layout.
 *
 * @param bits the field's first and last bit, both inclusive, counted from the most significant bit of the ID, 0 first
 */
public record FieldEntry(String name, List<Integer> bits) {
    static FieldEntry of(Field<?> field) {
        return new FieldEntry(field.name(), List.of(field.firstBit(), field.lastBit()));
    }
}
