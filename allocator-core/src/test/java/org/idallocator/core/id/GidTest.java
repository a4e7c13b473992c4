package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.codec.binary.Base58;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GidTest extends IdContract<Gid> {
    GidTest() {
        super(Gid.class, Gid.TYPE, Gid::tryParse, Gid::fromBytes);
    }

    /** Other second prefixes: what newer Graft writes, and what was found in its history. */
    @Override
    Stream<Vectors> decodeOnly() {
        return Stream.of("other_second_prefix", "harvested")
                .flatMap(name -> vectors.object(name).objects("items"));
    }

    Stream<Vectors> clearTopBits() {
        return vectors.object("informative")
                .object("second_prefix_top_bit_clear")
                .objects("items");
    }

    @Override
    Gid parseInvalid(Vectors invalid) {
        return invalid.has("as")
                ? Gid.parse(invalid.text("input"), type(invalid.text("as")))
                : Gid.parse(invalid.text("input"));
    }

    /** The time alone. */
    @Override
    Gid of(String fields) {
        return Gid.of(GidType.LOG, field(fields, 0), 0);
    }

    @Override
    Gid of(Vectors fields) {
        return Gid.of(
                type(fields.text("type")),
                fields.number("timestamp_ms"),
                Long.parseUnsignedLong(fields.text("random"), 16));
    }

    private static GidType type(String name) {
        return GidType.valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Prefixes and the random part are hex. */
    @Override
    long value(Vectors vector, String field) {
        return field.equals("timestamp_ms") ? vector.number(field) : Long.parseUnsignedLong(vector.text(field), 16);
    }

    @Override
    Instant time(Vectors fields) {
        return Instant.ofEpochMilli(fields.number("timestamp_ms"));
    }

    @Override
    Stream<Sorting<Gid>> sortings() {
        return Stream.of(
                Sorting.by("text", Gid::toString, true, false),
                Sorting.by("hex", Gid::toHex, true, false),
                new Sorting<>("UUID's bytes", Uuids.unsigned(Gid::toUuid), true, false));
    }

    @Override
    Gid random(Random random) {
        GidType[] types = GidType.values();
        return Gid.of(types[random.nextInt(types.length)], random.nextLong() >>> 16, random.nextLong());
    }

    @Override
    String encodedElsewhere(Gid id) {
        Base58 base58 = new Base58();
        byte[] bytes = id.toBytes();
        return base58.encodeAsString(Arrays.copyOf(bytes, 7))
                + "-"
                + base58.encodeAsString(Arrays.copyOfRange(bytes, 7, 16));
    }

    @Override
    List<Gid> otherwise(Gid id) {
        return List.of(Gid.parse(id.toString(), id.type()), Gid.fromUuid(id.toUuid()));
    }

    @Override
    String refusals() {
        return """
                canonical | invalid | gid must be 24 characters: 7
                canonical |  | gid must be 24 characters: 0
                canonical | 74qjewPop8_33inUUJYHKMSL | gid must have '-' at position 10: '_'
                canonical | 5rMHWisNh-A2e7Ad9mYrf7A4 | gid must be of [1-9A-HJ-NP-Za-km-z]: '-' at position 9
                canonical | 74g0Xak1s5-33FdxpLU8YPRJ | gid must be of [1-9A-HJ-NP-Za-km-z]: '0' at position 3
                canonical | 5rMHUYNHwv-2Ocfc6UnZzUSC | gid must be of [1-9A-HJ-NP-Za-km-z]: 'O' at position 12
                canonical | 74ggzwDvtM-33BYFx8z31Url | gid must be of [1-9A-HJ-NP-Za-km-z]: 'l' at position 23
                canonical | zzzzzzzzzz-33YJn1gw5dTPr | gid part must fit 56 bits: zzzzzzzzzz
                canonical | 5rMKQyiJD1-zzzzzzzzzzzzz | gid part must fit 72 bits: zzzzzzzzzzzzz
                canonical | 5tYo5eS2zv-2eUuuooF3UpWP | gid prefix must be 80, a0 or c0: 81
                canonical | 1111111111-2e7iyEK3dXuE3 | gid prefix must be 80, a0 or c0: 00
                canonical | 5rMJhdVrxb-1111111111111 | gid second prefix must be 80..ff: 00
                log | 5rMJhdVrxb-2e7iyEK3dXuE3 | gid must be of type log: 5rMJhdVrxb-2e7iyEK3dXuE3 is of type volume
                bytes | 0 | gid must be 16 bytes: 0
                bits | 8100000000000080 0 | gid prefix must be 80, a0 or c0: 81
                bits | 80 0 | gid prefix must be 80, a0 or c0: 00
                bits | 800000000000007f ffffffffffffffff | gid second prefix must be 80..ff: 7f
                hex | 5rMJhdVrxb-2e7iyEK3dXuE3 | gid hex must be 32 characters: 24
                hex | 8G8G8G8G8G8G8G8G8G8G8G8G8G8G8G8G | gid hex must be of [0-9a-fA-F]: 'G' at position 1
                hex | 8C8C8C8C8C8C8C8C8C8C8C8C8C8C8C8C | gid prefix must be 80, a0 or c0: 8c
                uuid | 80808080808080808080808080808080 | gid uuid must be 36 characters: 32
                uuid | 80000000-000000080-8000-00000000001- | gid uuid must be of hex digits in groups of 8, 4, 4, 4 and 12: 80000000-000000080-8000-00000000001-
                uuid | 80000000-0000-0080-8000-00000000001- | gid uuid must be of hex digits in groups of 8, 4, 4, 4 and 12: 80000000-0000-0080-8000-00000000001-
                uuid | 00000000-0000-0000-0000-000000000000 | gid prefix must be 80, a0 or c0: 00
                of | 281474976710656 | timestampMs must be 0..281474976710655: 281474976710656
                of | -1 | timestampMs must be 0..281474976710655: -1
                """;
    }

    @Override
    Map<String, Function<String, ?>> doors() {
        return Map.of("log", text -> Gid.parse(text, GidType.LOG));
    }

    @ParameterizedTest
    @MethodSource("readable")
    void shouldReadTypeWhenPrefixIsKnown(Vectors vector) {
        assertEquals(type(vector.text("type")), Gid.parse(vector.text("string")).type());
    }

    @ParameterizedTest
    @MethodSource("clearTopBits")
    void shouldRefuseWhenSecondPrefixHasTopBitClear(Vectors vector) {
        assertThrows(IdFormatException.class, () -> Gid.parse(vector.text("string")));
        assertThrows(IdFormatException.class, () -> Gid.parseHex(vector.text("binary")));
    }

    @Test
    void shouldComeBackWhenSecondPrefixIsAnyWithTopBitSet() {
        Random random = new Random(6);
        for (int secondPrefix = 0x80; secondPrefix <= 0xff; secondPrefix++) {
            Gid id = Gid.ofBits(0xa001_0203_0405_0600L | secondPrefix, random.nextLong());
            assertEquals(encodedElsewhere(id), id.toString());
            assertEquals(id, Gid.parse(id.toString()));
            assertEquals(secondPrefix, id.secondPrefix());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRepeatPrefixWhenBuilt(GidType type) {
        Gid id = Gid.of(type, 1, 2);

        assertEquals(type.prefix(), id.prefix());
        assertEquals(type.prefix(), id.secondPrefix());
        assertEquals(type, id.type());
    }
}
