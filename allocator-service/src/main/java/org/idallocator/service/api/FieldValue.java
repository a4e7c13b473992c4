package org.idallocator.service.api;

import java.util.List;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Field;

/**
 * The value of one field of an ID.
 *
 * @param bits the field's first and last bit, both inclusive, counted from the most significant bit of the ID, 0 first
 * @param value an unsigned number; a string of its decimal digits when the number does not fit 53 bits
 */
public record FieldValue(String name, List<Integer> bits, Object value) {
    private static final long LARGEST_NUMBER = (1L << 53) - 1;

    static <T extends Id> FieldValue of(Field<T> field, T id) {
        long value = field.value().applyAsLong(id);
        boolean fits = Long.compareUnsigned(value, LARGEST_NUMBER) <= 0;
        FieldEntry entry = FieldEntry.of(field);
        return new FieldValue(entry.name(), entry.bits(), fits ? (Object) value : Long.toUnsignedString(value));
    }
}
