package org.idallocator.hibernate;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.type.SqlTypes;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;

/**
 * One type of ID, and its forms in attributes and columns: bytes and text, and a UUID or a number where it has one.
 * Immutable, thread-safe.
 *
 * @param type the type of ID
 * @param bytes the length of its bytes
 * @param textLength the length of its text, in ASCII characters
 * @param forms all forms; a class is that of one at most
 */
record IdForms<T extends Id>(Class<T> type, int bytes, int textLength, List<Form<T, ?>> forms) {
    /** Every type of ID. */
    static final List<IdForms<?>> ALL = List.of(
            of(Sno.class, Sno.BYTES, Sno.TEXT_LENGTH, Sno::fromBytes, Sno::parse, uuid(Sno::toUuid, Sno::fromUuid)),
            of(
                    Muid.class,
                    Muid.BYTES,
                    Muid.TEXT_LENGTH,
                    Muid::fromBytes,
                    Muid::parse,
                    uuid(Muid::toUuid, Muid::fromUuid)),
            of(
                    EightByteId.class,
                    EightByteId.BYTES,
                    EightByteId.TEXT_LENGTH,
                    EightByteId::fromBytes,
                    EightByteId::parse,
                    number(EightByteId::toLong, EightByteId::fromLong)),
            of(
                    Uid60.class,
                    Uid60.BYTES,
                    Uid60.TEXT_LENGTH,
                    Uid60::fromBytes,
                    Uid60::parse,
                    number(Uid60::toLong, Uid60::fromLong)),
            ofGid(Gid.class, Gid::fromBytes, Gid::parse, Gid::fromUuid),
            ofGid(VolumeId.class, VolumeId::fromBytes, VolumeId::parse, VolumeId::fromUuid),
            ofGid(LogId.class, LogId::fromBytes, LogId::parse, LogId::fromUuid),
            ofGid(SegmentId.class, SegmentId::fromBytes, SegmentId::parse, SegmentId::fromUuid));

    /** A form: the class of its values, how an ID is written as one, and how one is read. */
    record Form<T extends Id, X>(Class<X> type, Function<T, X> write, Function<X, T> read) {
        T readAny(Object value) {
            return read.apply(type.cast(value));
        }
    }

    private static <T extends Gid> IdForms<T> ofGid(
            Class<T> type, Function<byte[], T> fromBytes, Function<String, T> parse, Function<UUID, T> fromUuid) {
        return of(type, Gid.BYTES, Gid.TEXT_LENGTH, fromBytes, parse, uuid(Gid::toUuid, fromUuid));
    }

    private static <T extends Id> IdForms<T> of(
            Class<T> type,
            int bytes,
            int textLength,
            Function<byte[], T> fromBytes,
            Function<String, T> parse,
            Form<T, ?> third) {
        return new IdForms<>(
                type,
                bytes,
                textLength,
                List.of(
                        new Form<>(byte[].class, Id::toBytes, fromBytes),
                        new Form<>(String.class, Id::toString, parse),
                        third));
    }

    private static <T extends Id> Form<T, UUID> uuid(Function<T, UUID> write, Function<UUID, T> read) {
        return new Form<>(UUID.class, write, read);
    }

    private static <T extends Id> Form<T, Long> number(Function<T, Long> write, Function<Long, T> read) {
        return new Form<>(Long.class, write, read);
    }

    /** The forms of a type of ID; empty where the class is none. */
    static Optional<IdForms<?>> find(Class<?> type) {
        return ALL.stream().filter(each -> each.type == type).findFirst();
    }

    /** The names of the types of ID, for messages. */
    static String names() {
        return ALL.stream().map(each -> each.type.getSimpleName()).collect(Collectors.joining(", "));
    }

    /** The code of {@link SqlTypes} of the column, unless the attribute asks for another by {@code @JdbcTypeCode}. */
    int column() {
        return form(Long.class).isPresent() ? SqlTypes.BIGINT : SqlTypes.VARBINARY;
    }

    /** Whether an attribute of this class can have these IDs. */
    boolean fit(Class<?> attribute) {
        boolean ofItsIds = find(attribute).isPresent() && attribute.isAssignableFrom(type); // Gid is above three types
        return ofItsIds || form(attribute).isPresent();
    }

    /** What an attribute that has these IDs may be, for messages. */
    String attributes() {
        return Stream.concat(Stream.of(type), forms.stream().map(Form::type))
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
    }

    /**
     * The ID as a value of this class, which is the ID's own, one above it, or that of a form.
     *
     * @throws IllegalArgumentException for other classes
     */
    <X> X write(T id, Class<X> as) {
        Object written = as.isInstance(id)
                ? id
                : form(as).orElseThrow(() -> none(as)).write().apply(id);
        return as.cast(written);
    }

    /**
     * The ID of a value, which is the ID itself or of a form.
     *
     * @throws org.idallocator.core.id.IdFormatException where the value is that of no ID
     * @throws IllegalArgumentException for values of other classes
     */
    T read(Object value) {
        Class<?> from = value.getClass();
        return type.isInstance(value)
                ? type.cast(value)
                : form(from).orElseThrow(() -> none(from)).readAny(value);
    }

    private Optional<Form<T, ?>> form(Class<?> as) {
        return forms.stream().filter(form -> form.type() == as).findFirst();
    }

    private IllegalArgumentException none(Class<?> other) {
        return new IllegalArgumentException(
                "%s is kept as %s, not as %s".formatted(type.getSimpleName(), attributes(), other.getTypeName()));
    }
}
