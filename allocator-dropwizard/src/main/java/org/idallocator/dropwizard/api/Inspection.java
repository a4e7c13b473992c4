package org.idallocator.dropwizard.api;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.znode.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code GET /ids/{scheme}/{id}}: what an ID says.
 *
 * @param id the canonical text
 * @param hex the hex digits of its bytes
 * @param forms the ID in the scheme's other text forms, by the forms' names
 * @param time the time that the ID carries
 * @param remarks what else is to be said of the ID, a sentence each; left out when there is nothing
 * @param holder who now holds the slot from which the ID was drawn; null when nobody does, and when that is not known
 * @param holderUnknown why it is not known who holds the slot, in one sentence; left out when it is known
 */
public record Inspection(
        String scheme,
        String id,
        String hex,
        Map<String, String> forms,
        Instant time,
        List<FieldValue> fields,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> remarks,
        @Nullable LeaseNode holder,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> holderUnknown) {
    private static final long LARGEST_NUMBER = (1L << 53) - 1;

    /**
     * The value of one field of an ID.
     *
     * @param bits the field's first and last bit, both inclusive, counted from the most significant bit of the ID, 0
     *     first
     * @param value an unsigned number; a string of its decimal digits when the number does not fit 53 bits
     */
    public record FieldValue(String name, List<Integer> bits, Object value) {
        private static <T extends Id> FieldValue of(Field<T> field, T id) {
            long value = field.value().applyAsLong(id);
            boolean fits = Long.compareUnsigned(value, LARGEST_NUMBER) <= 0;
            return new FieldValue(
                    field.name(),
                    List.of(field.firstBit(), field.lastBit()),
                    fits ? (Object) value : Long.toUnsignedString(value));
        }
    }

    /** What an ID of a scheme says, and who holds the slot from which it was drawn, as far as that is known. */
    public static <T extends Id> Inspection of(Scheme<T> scheme, T id, Holder holder) {
        return new Inspection(
                scheme.name(),
                id.toString(),
                scheme.type().hex().write().apply(id),
                scheme.forms().stream()
                        .collect(toImmutableMap(Form::name, form -> form.write().apply(id))),
                id.time(),
                scheme.type().fields().stream()
                        .map(field -> FieldValue.of(field, id))
                        .toList(),
                scheme.remarks(id),
                holder.lease().orElse(null),
                holder.unknown());
    }
}
