package org.idallocator.core.id;

import static org.idallocator.core.id.Refusal.at;
import static org.idallocator.core.id.Refusal.field;
import static org.idallocator.core.id.Refusal.whole;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.commons.codec.binary.Base58;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class GidTest extends IdContract<Gid> {
    private static final String VOLUME = "5rMJhdVrxb-2e7iyEK3dXuE3";

    GidTest() {
        super("gid", Gid.class, Gid.TYPE);
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

    @Override
    Map<String, Object> fields(Gid id) {
        HexFormat hex = HexFormat.of();
        return Map.of(
                "prefix", hex.toHexDigits((byte) id.prefix()),
                "timestamp_ms", id.timestampMs(),
                "second_prefix", hex.toHexDigits((byte) id.secondPrefix()),
                "random", hex.toHexDigits(id.random()));
    }

    @Override
    Instant time(Vectors fields) {
        return Instant.ofEpochMilli(fields.number("timestamp_ms"));
    }

    @Override
    Optional<Gid> tryParse(String text) {
        return Gid.tryParse(text);
    }

    @Override
    Stream<Sorting<Gid>> sortings() {
        return Stream.of(
                Sorting.by("text", Gid::toString, true, false),
                Sorting.by("hex", Gid::toHex, true, false),
                new Sorting<>("UUID's bytes", Uuids.unsigned(Gid::toUuid), true, false));
    }

    @Override
    Stream<Excluded> excluded() {
        return Stream.of(
                new Excluded("gid prefix must be 80, a0 or c0: 81", 0x8100_0000_0000_0080L, 0),
                new Excluded("gid prefix must be 80, a0 or c0: 00", 0x80, 0),
                new Excluded("gid second prefix must be 80..ff: 7f", 0x8000_0000_0000_007fL, -1));
    }

    @Override
    Gid fromBytes(byte[] bytes) {
        return Gid.fromBytes(bytes);
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
    List<Gid> throughForms(Gid id) {
        return List.of(
                Gid.parse(id.toString(), id.type()),
                Gid.fromUuid(id.toUuid()),
                Gid.parseUuid(id.toUuid().toString()));
    }

    @Override
    Stream<Refusal> refusals() {
        return Stream.of(
                whole("gid must be 24 characters: 7", () -> Gid.parse("invalid")),
                at(10, "gid must have '-' at position 10: '_'", () -> Gid.parse("74qjewPop8_33inUUJYHKMSL")),
                at(
                        9,
                        "gid must be of [1-9A-HJ-NP-Za-km-z]: '-' at position 9",
                        () -> Gid.parse("5rMHWisNh-A2e7Ad9mYrf7A4")),
                at(
                        3,
                        "gid must be of [1-9A-HJ-NP-Za-km-z]: '0' at position 3",
                        () -> Gid.parse("74g0Xak1s5-33FdxpLU8YPRJ")),
                at(
                        12,
                        "gid must be of [1-9A-HJ-NP-Za-km-z]: 'O' at position 12",
                        () -> Gid.parse("5rMHUYNHwv-2Ocfc6UnZzUSC")),
                at(
                        23,
                        "gid must be of [1-9A-HJ-NP-Za-km-z]: 'l' at position 23",
                        () -> Gid.parse("74ggzwDvtM-33BYFx8z31Url")),
                whole("gid part must fit 56 bits: zzzzzzzzzz", () -> Gid.parse("zzzzzzzzzz-33YJn1gw5dTPr")),
                whole("gid part must fit 72 bits: zzzzzzzzzzzzz", () -> Gid.parse("5rMKQyiJD1-zzzzzzzzzzzzz")),
                whole("gid prefix must be 80, a0 or c0: 81", () -> Gid.parse("5tYo5eS2zv-2eUuuooF3UpWP")),
                whole("gid prefix must be 80, a0 or c0: 00", () -> Gid.parse("1111111111-2e7iyEK3dXuE3")),
                whole("gid second prefix must be 80..ff: 00", () -> Gid.parse("5rMJhdVrxb-1111111111111")),
                whole("gid prefix must be 80, a0 or c0: 00", () -> Gid.fromUuid(new UUID(0, 0))),
                whole(
                        "gid must be of type log: " + VOLUME + " is of type volume",
                        () -> Gid.parse(VOLUME, GidType.LOG)),
                whole("gid must be 16 bytes: 0", () -> Gid.fromBytes(new byte[0])),
                whole("gid hex must be 32 characters: 24", () -> Gid.parseHex(VOLUME)),
                at(1, "gid hex must be of [0-9a-fA-F]: 'G' at position 1", () -> Gid.parseHex("8G".repeat(16))),
                whole("gid prefix must be 80, a0 or c0: 8c", () -> Gid.parseHex("8C".repeat(16))),
                whole("gid uuid must be 36 characters: 32", () -> Gid.parseUuid("80".repeat(16))),
                whole(
                        "gid uuid must be of hex digits in groups of 8, 4, 4, 4 and 12: 80000000-000000080-8000-00000000001-",
                        () -> Gid.parseUuid("80000000-000000080-8000-00000000001-")),
                whole(
                        "gid uuid must be of hex digits in groups of 8, 4, 4, 4 and 12: 80000000-0000-0080-8000-00000000001-",
                        () -> Gid.parseUuid("80000000-0000-0080-8000-00000000001-")),
                whole(
                        "gid prefix must be 80, a0 or c0: 00",
                        () -> Gid.parseUuid("00000000-0000-0000-0000-000000000000")),
                field(
                        "timestampMs must be 0..281474976710655: 281474976710656",
                        () -> Gid.of(GidType.LOG, 1L << 48, 0)),
                field("timestampMs must be 0..281474976710655: -1", () -> Gid.of(GidType.LOG, -1, 0)));
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

    @Test
    void shouldHaveLowerCaseNameWhenTypeIsText() {
        assertEquals(
                "volume, log, segment",
                String.join(
                        ", ",
                        Arrays.stream(GidType.values()).map(GidType::toString).toList()));
    }
}
