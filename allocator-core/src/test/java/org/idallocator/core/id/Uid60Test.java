package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class Uid60Test extends IdContract<Uid60> {
    private static final Instant EPOCH = Instant.parse("2018-03-01T00:00:00Z");

    Uid60Test() {
        super(Uid60.class, Uid60.TYPE, Uid60::tryParse, Uid60::fromBytes);
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
    Uid60 of(String fields) {
        return Uid60.of(field(fields, 0), number(fields, 1), number(fields, 2), number(fields, 3));
    }

    @Override
    Instant time(Vectors fields) {
        return EPOCH.plusSeconds(fields.number("timestamp_s"));
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
    List<Uid60> otherwise(Uid60 id) {
        return List.of(Uid60.parseHex("0x" + id.toHex().toUpperCase(Locale.ROOT)), Uid60.fromLong(id.toLong()));
    }

    @Override
    String refusals() {
        return """
                canonical |  | uid60 must be 10 characters: 0
                canonical | +wJbz0401E | uid60 must be of [A-Za-z0-9_-]: '+' at position 0
                canonical | MpETWAM1q= | uid60 must be of [A-Za-z0-9_-]: '=' at position 9
                canonical | AAAA\\0AAAAA | uid60 must be of [A-Za-z0-9_-]: U+0000 at position 4
                bytes | 10 | uid60 must be 8 bytes: 10
                bits | 0 1000000000000000 | uid60 must be of 60 bits: 00000000000000001000000000000000
                bits | 0 8000000000000000 | uid60 must be of 60 bits: 00000000000000008000000000000000
                bits | 1 0 | uid60 must be of 60 bits: 00000000000000010000000000000000
                hex | 00000000000000 | uid60 hex must be 15 characters: 14
                hex | 00000000000000000 | uid60 hex must be 15 characters: 17
                hex | 000000000000000g | uid60 hex must be of [0-9a-fA-F]: 'g' at position 15
                hex | 1000000000000000 | uid60 must be of 60 bits: 00000000000000001000000000000000
                hex | 00000000000000A | uid60 hex must be of [0-9a-f]: 'A' at position 14
                hex | 0x00000000000000000 | uid60 hex must be 15 digits after 0x: 17
                hex | \\\\x1000000000000000 | uid60 must be of 60 bits: 00000000000000001000000000000000
                decimal | -1 | uid60 decimal must be 0..1152921504606846975: -1
                decimal | 10000000000000000000 | uid60 decimal must be 0..1152921504606846975: 10000000000000000000
                decimal | 1152921504606846976 | uid60 decimal must be 0..1152921504606846975: 1152921504606846976
                decimal | 00 | uid60 decimal must be of 64 bits, without leading zeros: 00
                decimal | 1e9 | uid60 decimal must be of [0-9]: 'e' at position 1
                of | 4294967296 0 0 0 | timestampS must be 0..4294967295: 4294967296
                of | 0 512 0 0 | worker must be 0..511: 512
                of | 0 0 -1 0 | sequence must be 0..1023: -1
                of | 0 0 0 512 | random must be 0..511: 512
                """;
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
