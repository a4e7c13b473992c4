package org.idallocator.core.id;

import static org.idallocator.core.id.Refusal.at;
import static org.idallocator.core.id.Refusal.field;
import static org.idallocator.core.id.Refusal.whole;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class Uid60Test extends IdContract<Uid60> {
    private static final Instant EPOCH = Instant.parse("2018-03-01T00:00:00Z");

    Uid60Test() {
        super("uid60", Uid60.class, Uid60.TYPE);
    }

    @Override
    String text(Vectors fields) {
        return fields.text("display");
    }

    @Override
    String binary(Vectors fields) {
        return "0" + fields.text("storage_hex");
    }

    @Override
    String sortedField() {
        return "sorted_by_storage";
    }

    @Override
    Uid60 parseInvalid(Vectors invalid) {
        String input = invalid.text("input");
        return switch (invalid.text("kind")) {
            case "display" -> Uid60.parse(input);
            case "storage_hex" -> Uid60.parseHex(input);
            case "storage_decimal" -> Uid60.parseDecimal(input);
            default -> throw new AssertionError(invalid);
        };
    }

    @Override
    Uid60 of(Vectors fields) {
        return Uid60.of(
                fields.number("timestamp_s"),
                fields.integer("worker"),
                fields.integer("sequence"),
                fields.integer("random"));
    }

    @Override
    Map<String, Object> fields(Uid60 id) {
        return Map.of(
                "timestamp_s", id.timestampS(),
                "worker", id.worker(),
                "sequence", id.sequence(),
                "random", id.random());
    }

    @Override
    Instant time(Vectors fields) {
        return EPOCH.plusSeconds(fields.number("timestamp_s"));
    }

    @Override
    Optional<Uid60> tryParse(String text) {
        return Uid60.tryParse(text);
    }

    @Override
    Stream<Sorting<Uid60>> sortings() {
        return Stream.of(
                Sorting.by("text", Uid60::toString, false, false),
                Sorting.by("hex", Uid60::toHex, true, true),
                Sorting.by("decimal", Uid60::toDecimal, false, false),
                Sorting.by("long", Uid60::toLong, true, true));
    }

    @Override
    Stream<Excluded> excluded() {
        return Stream.of(
                new Excluded("uid60 must be of 60 bits: 00000000000000001000000000000000", 0, 1L << 60),
                new Excluded("uid60 must be of 60 bits: 00000000000000008000000000000000", 0, Long.MIN_VALUE),
                new Excluded("uid60 must be of 60 bits: 00000000000000010000000000000000", 1, 0));
    }

    @Override
    Uid60 fromBytes(byte[] bytes) {
        return Uid60.fromBytes(bytes);
    }

    @Override
    Uid60 random(Random random) {
        return new Uid60(0, random.nextLong() >>> 4);
    }

    /** The rule taken literally, on a string of bits: 32 reversed, then 28. Four more zeros fill up the bytes. */
    @Override
    String encodedElsewhere(Uid60 id) {
        String bits = Long.toBinaryString(1L << 60 | id.toLong()).substring(1);
        String shown = new StringBuilder(bits.substring(0, 32)).reverse() + bits.substring(32) + "0000";
        byte[] bytes =
                ByteBuffer.allocate(8).putLong(Long.parseUnsignedLong(shown, 2)).array();
        return Base64.getUrlEncoder().encodeToString(bytes).substring(0, 10);
    }

    @Override
    List<Uid60> throughForms(Uid60 id) {
        return List.of(
                Uid60.parseHex("0x" + id.toHex().toUpperCase(Locale.ROOT)),
                Uid60.parseDecimal(id.toDecimal()),
                Uid60.parseHex(id.toHex()),
                Uid60.fromLong(id.toLong()));
    }

    @Override
    Stream<Refusal> refusals() {
        return Stream.of(
                whole("uid60 must be 10 characters: 0", () -> Uid60.parse("")),
                at(0, "uid60 must be of [A-Za-z0-9_-]: '+' at position 0", () -> Uid60.parse("+wJbz0401E")),
                at(9, "uid60 must be of [A-Za-z0-9_-]: '=' at position 9", () -> Uid60.parse("MpETWAM1q=")),
                at(4, "uid60 must be of [A-Za-z0-9_-]: U+0000 at position 4", () -> Uid60.parse("AAAA\0AAAAA")),
                whole("uid60 must be 8 bytes: 10", () -> Uid60.fromBytes(new byte[10])),
                whole("uid60 must be of 60 bits: 00000000000000001000000000000000", () -> Uid60.fromLong(1L << 60)),
                whole("uid60 must be of 60 bits: 0000000000000000ffffffffffffffff", () -> Uid60.fromLong(-1)),
                whole(
                        "uid60 must be of 60 bits: 00000000000000008000000000000000",
                        () -> Uid60.fromBytes(new byte[] {-128, 0, 0, 0, 0, 0, 0, 0})),
                whole("uid60 hex must be 15 characters: 14", () -> Uid60.parseHex("00000000000000")),
                whole("uid60 hex must be 15 characters: 17", () -> Uid60.parseHex("00000000000000000")),
                at(
                        15,
                        "uid60 hex must be of [0-9a-fA-F]: 'g' at position 15",
                        () -> Uid60.parseHex("000000000000000g")),
                whole(
                        "uid60 must be of 60 bits: 00000000000000001000000000000000",
                        () -> Uid60.parseHex("1000000000000000")),
                at(14, "uid60 hex must be of [0-9a-f]: 'A' at position 14", () -> Uid60.parseHex("00000000000000A")),
                whole("uid60 hex must be 15 digits after 0x: 17", () -> Uid60.parseHex("0x00000000000000000")),
                whole(
                        "uid60 must be of 60 bits: 00000000000000001000000000000000",
                        () -> Uid60.parseHex("\\x1000000000000000")),
                whole("uid60 decimal must be 0..1152921504606846975: -1", () -> Uid60.parseDecimal("-1")),
                whole(
                        "uid60 decimal must be 0..1152921504606846975: 10000000000000000000",
                        () -> Uid60.parseDecimal("10000000000000000000")),
                whole(
                        "uid60 decimal must be 0..1152921504606846975: 1152921504606846976",
                        () -> Uid60.parseDecimal("1152921504606846976")),
                whole("uid60 decimal must be of 64 bits, without leading zeros: 00", () -> Uid60.parseDecimal("00")),
                at(1, "uid60 decimal must be of [0-9]: 'e' at position 1", () -> Uid60.parseDecimal("1e9")),
                field("timestampS must be 0..4294967295: 4294967296", () -> Uid60.of(1L << 32, 0, 0, 0)),
                field("worker must be 0..511: 512", () -> Uid60.of(0, 512, 0, 0)),
                field("sequence must be 0..1023: -1", () -> Uid60.of(0, 0, -1, 0)),
                field("random must be 0..511: 512", () -> Uid60.of(0, 0, 0, 512)));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldAgreeInStoredFormsWhenBuiltOfFields(Vectors vector) {
        Uid60 id = of(vector);

        assertEquals(vector.number("storage"), id.toLong());
        assertEquals(vector.text("storage"), id.toDecimal());
        assertEquals(vector.text("storage_hex"), id.toHex());
        assertEquals(id, Uid60.fromLong(vector.number("storage")));
        assertEquals(id, Uid60.parseDecimal(vector.text("storage")));
        assertEquals(id, Uid60.parseHex(vector.text("storage_hex")));
    }
}
