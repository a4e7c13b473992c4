package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The types of gid: each reads its own IDs and refuses those of the others. {@link GidTest} tests what they share. */
final class GidTypesTest {
    private static final long NOW_MS = 1_762_462_218_588L;
    private static final JsonMapper JSON = new JsonMapper();

    /** The same methods, once for each type. */
    private record Subtype(
            GidType type,
            Class<? extends Gid> valueClass,
            Making of,
            IdReader<? extends Gid> ofBits,
            Function<String, Gid> parse,
            Function<String, Optional<? extends Gid>> tryParse,
            Function<String, Gid> parseHex,
            Function<byte[], Gid> fromBytes,
            Function<UUID, Gid> fromUuid) {

        /** Every way to read {@code id}, as long as it is of this type. */
        List<Callable<Gid>> readings(Gid id) {
            var keys = JSON.getTypeFactory().constructMapType(Map.class, valueClass, Integer.class);
            return List.of(
                    () -> ofBits.of(id.high(), id.low()),
                    () -> parse.apply(id.toString()),
                    () -> parseHex.apply(id.toHex()),
                    () -> fromBytes.apply(id.toBytes()),
                    () -> fromUuid.apply(id.toUuid()),
                    () -> JSON.readValue(JSON.writeValueAsString(id), valueClass),
                    () -> (Gid) JSON.<Map<?, ?>>readValue(JSON.writeValueAsString(Map.of(id, 1)), keys)
                            .keySet()
                            .iterator()
                            .next());
        }

        @Override
        public String toString() {
            return type.toString();
        }
    }

    private interface Making {
        Gid of(long timestampMs, long random);
    }

    static Stream<Subtype> subtypes() {
        return Stream.of(
                new Subtype(
                        GidType.VOLUME,
                        VolumeId.class,
                        VolumeId::of,
                        VolumeId::new,
                        VolumeId::parse,
                        VolumeId::tryParse,
                        VolumeId::parseHex,
                        VolumeId::fromBytes,
                        VolumeId::fromUuid),
                new Subtype(
                        GidType.LOG,
                        LogId.class,
                        LogId::of,
                        LogId::new,
                        LogId::parse,
                        LogId::tryParse,
                        LogId::parseHex,
                        LogId::fromBytes,
                        LogId::fromUuid),
                new Subtype(
                        GidType.SEGMENT,
                        SegmentId.class,
                        SegmentId::of,
                        SegmentId::new,
                        SegmentId::parse,
                        SegmentId::tryParse,
                        SegmentId::parseHex,
                        SegmentId::fromBytes,
                        SegmentId::fromUuid));
    }

    @Test
    void shouldHaveTypeWhenPrefixIsOneOfThree() {
        Map<Integer, GidType> types = Map.of(0x80, GidType.VOLUME, 0xa0, GidType.LOG, 0xc0, GidType.SEGMENT);

        IntStream.range(0, 256)
                .filter(prefix -> !types.containsKey(prefix))
                .forEach(prefix -> assertThrows(
                        IdFormatException.class, () -> Gid.ofBits((long) prefix << 56 | 0x80, 0), "of " + prefix));
        types.forEach((prefix, type) ->
                assertEquals(type, Gid.ofBits((long) prefix << 56 | 0x80, 0).type()));
        types.forEach((prefix, type) -> assertEquals(prefix, type.prefix()));
    }

    /** Also with the second prefix of newer writers. */
    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldBeOfItsClassWhicheverWayItIsRead(Subtype subtype) throws Exception {
        Gid written = subtype.of().of(NOW_MS, -7);
        Gid newer = Gid.ofBits((written.high() & ~0xffL) | 0xe7, 5);

        assertEquals(Gid.of(subtype.type(), NOW_MS, -7), written);
        for (Gid id : List.of(written, newer)) {
            assertSame(subtype.type(), id.type());
            assertInstanceOf(subtype.valueClass(), id);
            assertEquals(Optional.of(id), subtype.tryParse().apply(id.toString()));
            for (Callable<Gid> reading : subtype.readings(id)) {
                assertEquals(id, reading.call());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldRefuseWhenIdIsOfAnotherType(Subtype subtype) {
        for (GidType type : GidType.values()) {
            Gid other = Gid.of(type, NOW_MS, 3);
            String expected = "gid must be of type %s: %s is of type %s".formatted(subtype, other, type);
            for (Callable<Gid> reading : type == subtype.type() ? List.<Callable<Gid>>of() : subtype.readings(other)) {
                Exception refused = assertThrows(Exception.class, reading::call);
                assertTrue(String.valueOf(refused.getMessage()).contains(expected), refused::toString);
                assertEquals(Optional.empty(), subtype.tryParse().apply(other.toString()));
            }
        }
    }

    @Test
    void shouldSortByTypeThenTimeThenRandomUnsignedWhenCompared() {
        List<Gid> sorted = List.of(
                VolumeId.of(NOW_MS, 1),
                VolumeId.of(NOW_MS, -1),
                VolumeId.of(NOW_MS + 1, 1),
                VolumeId.of(Gid.MAX_TIMESTAMP_MS, -1),
                LogId.of(0, 0),
                SegmentId.of(0, 0));

        assertEquals(sorted, sorted.stream().sorted().toList());
        assertTrue(
                VolumeId.of(NOW_MS, -1)
                                .toUuid()
                                .compareTo(VolumeId.of(NOW_MS, 1).toUuid())
                        < 0,
                "signed");
    }

    @Test
    void shouldBeOneOfThreeWhenSwitchedOver() {
        assertEquals(
                List.of("volume", "log", "segment"),
                Arrays.stream(GidType.values()).map(GidType::toString).toList());
        assertEquals(
                List.of(VolumeId.class, LogId.class, SegmentId.class), List.of(Gid.class.getPermittedSubclasses()));
    }
}
