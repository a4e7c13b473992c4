package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
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
        Stream<Gid> readings(Gid id) {
            return Stream.of(
                    ofBits.of(id.high(), id.low()),
                    parse.apply(id.toString()),
                    tryParse.apply(id.toString()).orElseThrow(),
                    parseHex.apply(id.toHex()),
                    fromBytes.apply(id.toBytes()),
                    fromUuid.apply(id.toUuid()));
        }

        /** The same, for IDs of other types. */
        Stream<Refusal> refusals(Gid id) {
            String message = "gid must be of type %s: %s is of type %s".formatted(type, id, id.type());
            return Stream.of(
                    Refusal.whole(message, () -> ofBits.of(id.high(), id.low())),
                    Refusal.whole(message, () -> parse.apply(id.toString())),
                    Refusal.whole(message, () -> parseHex.apply(id.toHex())),
                    Refusal.whole(message, () -> fromBytes.apply(id.toBytes())),
                    Refusal.whole(message, () -> fromUuid.apply(id.toUuid())));
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

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldBeOfItsClassWhicheverWayItIsMade(Subtype subtype) {
        Gid id = subtype.of().of(NOW_MS, -7);

        assertEquals(Gid.of(subtype.type(), NOW_MS, -7), id);
        assertSame(subtype.type(), id.type());
        Stream.concat(subtype.readings(id), throughGid(id)).forEach(read -> {
            assertInstanceOf(subtype.valueClass(), read);
            assertEquals(id, read);
        });
    }

    private static Stream<Gid> throughGid(Gid id) {
        return Stream.of(
                Gid.of(id.type(), id.timestampMs(), id.random()),
                Gid.ofBits(id.high(), id.low()),
                Gid.parse(id.toString()),
                Gid.parse(id.toString(), id.type()),
                Gid.tryParse(id.toString()).orElseThrow(),
                Gid.parseHex(id.toHex()),
                Gid.fromBytes(id.toBytes()),
                Gid.fromUuid(id.toUuid()));
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldRefuseWhenIdIsOfAnotherType(Subtype subtype) {
        others(subtype).forEach(other -> {
            assertEquals(Optional.empty(), subtype.tryParse().apply(other.toString()));
            subtype.refusals(other).forEach(Refusal::check);
        });
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldRefuseTimeWhenOutOfBounds(Subtype subtype) {
        Refusal.field(
                        "timestampMs must be 0..281474976710655: 281474976710656",
                        () -> subtype.of().of(Gid.MAX_TIMESTAMP_MS + 1, 0))
                .check();
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldReadBothFormsOfSecondPrefixButWriteThatOfTheSpecification(Subtype subtype) {
        Gid written = subtype.of().of(NOW_MS, 5);
        Gid newer = subtype.ofBits().of((written.high() & ~0xffL) | 0xe7, 5);

        assertEquals(subtype.type().prefix(), written.secondPrefix());
        assertEquals(0xe7, newer.secondPrefix());
        assertNotEquals(written, newer);
        subtype.readings(newer).forEach(read -> assertEquals(newer, read));
    }

    private static Stream<Gid> others(Subtype subtype) {
        return Arrays.stream(GidType.values())
                .filter(type -> type != subtype.type())
                .map(type -> Gid.of(type, NOW_MS, 3));
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldBeItselfWhenInJson(Subtype subtype) throws JsonProcessingException {
        Gid id = subtype.of().of(NOW_MS, 11);
        var held = JSON.getTypeFactory().constructMapType(Map.class, subtype.valueClass(), subtype.valueClass());

        String json = JSON.writeValueAsString(Map.of(id, id));

        assertEquals("{\"%1$s\":\"%1$s\"}".formatted(id), json);
        assertEquals(Map.of(id, id), JSON.readValue(json, held));
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldRefuseWhenJsonHasIdOfAnotherType(Subtype subtype) {
        var key = JSON.getTypeFactory().constructMapType(Map.class, subtype.valueClass(), Integer.class);
        others(subtype).forEach(other -> {
            String expected = "gid must be of type %s: %s is of type %s".formatted(subtype, other, other.type());
            var value = assertThrows(
                    JsonMappingException.class, () -> JSON.readValue("\"" + other + "\"", subtype.valueClass()));
            var inKey = assertThrows(JsonMappingException.class, () -> JSON.readValue("{\"" + other + "\":1}", key));
            assertTrue(value.getOriginalMessage().contains(expected), value.getOriginalMessage());
            assertTrue(inKey.getOriginalMessage().contains(expected), inKey.getOriginalMessage());
        });
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldSortByTimeWhenOfOneType(Subtype subtype) {
        Random random = new Random(21);
        List<Gid> inTime = IntStream.range(0, 500)
                .mapToObj(i -> subtype.of().of(NOW_MS + i, random.nextLong()))
                .toList();

        assertEquals(inTime, inTime.stream().sorted().toList());
        assertEquals(
                inTime,
                inTime.stream().sorted(Comparator.comparing(Gid::toString)).toList());
    }

    @Test
    void shouldSortByBytesWhenOfSeveralTypes() {
        Gid volume = VolumeId.of(Gid.MAX_TIMESTAMP_MS, -1);
        Gid log = LogId.of(0, 0);

        assertTrue(volume.compareTo(log) < 0);
        assertTrue(log.compareTo(SegmentId.of(0, 0)) < 0);
        assertNotEquals(log, SegmentId.of(0, 0));
    }

    @Test
    void shouldSortOtherwiseWhenUuidsOfOneMillisecondAreComparedSigned() {
        VolumeId upper = VolumeId.of(NOW_MS, -1);
        VolumeId lower = VolumeId.of(NOW_MS, 1);

        assertTrue(upper.compareTo(lower) > 0);
        assertTrue(upper.toUuid().compareTo(lower.toUuid()) < 0);
        assertTrue(VolumeId.of(NOW_MS + 1, 1).toUuid().compareTo(upper.toUuid()) > 0);
    }

    @Test
    void shouldBeOneOfThreeWhenSwitchedOver() {
        assertEquals(
                List.of(VolumeId.class, LogId.class, SegmentId.class), List.of(Gid.class.getPermittedSubclasses()));
    }

    @ParameterizedTest
    @MethodSource("subtypes")
    void shouldBeRandomPartWhenShort(Subtype subtype) {
        Gid id = subtype.of().of(NOW_MS, 0x0102_0304_0506_0708L);

        assertEquals(13, id.shortForm().length());
        assertEquals(id.toString().substring(11), id.shortForm());
        assertEquals(subtype.of().of(0, id.random()).shortForm(), id.shortForm());
    }
}
