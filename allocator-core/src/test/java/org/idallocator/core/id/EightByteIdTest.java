package org.idallocator.core.id;

import static org.idallocator.core.id.Refusal.at;
import static org.idallocator.core.id.Refusal.field;
import static org.idallocator.core.id.Refusal.whole;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;

final class EightByteIdTest extends IdContract<EightByteId> {
    EightByteIdTest() {
        super("eightbyte", EightByteId.class, EightByteId.TYPE);
    }

    @Override
    String sortedField() {
        return "sorted_by_unsigned_bytes";
    }

    @Override
    EightByteId of(Vectors fields) {
        return EightByteId.of(
                fields.number("timestamp_ms"),
                fields.integer("sequence"),
                fields.integer("generator"),
                fields.integer("cluster"));
    }

    @Override
    Map<String, Object> fields(EightByteId id) {
        return Map.of(
                "timestamp_ms", id.timestampMs(),
                "sequence", id.sequence(),
                "generator", id.generator(),
                "cluster", id.cluster());
    }

    @Override
    Instant time(Vectors fields) {
        return Instant.ofEpochMilli(fields.number("timestamp_ms"));
    }

    @Override
    Optional<EightByteId> tryParse(String text) {
        return EightByteId.tryParse(text);
    }

    @Override
    Stream<Sorting<EightByteId>> sortings() {
        return Stream.of(
                Sorting.by("text", EightByteId::toString, true, false),
                Sorting.by("base64url", EightByteId::toBase64Url, false, false),
                Sorting.by("decimal", EightByteId::toDecimal, false, false),
                Sorting.by("long", EightByteId::toLong, false, false),
                new Sorting<>("unsigned", (a, b) -> Long.compareUnsigned(a.toLong(), b.toLong()), true, false),
                new Sorting<>("BY_TIME", EightByteId.BY_TIME, false, true));
    }

    @Override
    Stream<Excluded> excluded() {
        return Stream.of(
                new Excluded("eightbyte must be of 64 bits: 00000000000000010000000000000000", 1, 0),
                new Excluded(
                        "eightbyte must have reserved bits 10..15 clear: bit 10 is set in 0000000000000400", 0, 0x400),
                new Excluded(
                        "eightbyte must have reserved bits 10..15 clear: bit 15 is set in 0000000000008000",
                        0,
                        0x8000));
    }

    @Override
    EightByteId fromBytes(byte[] bytes) {
        return EightByteId.fromBytes(bytes);
    }

    @Override
    EightByteId random(Random random) {
        return EightByteId.of(random.nextLong() >>> 22, random.nextInt(64), random.nextInt(64), random.nextInt(16));
    }

    @Override
    String encodedElsewhere(EightByteId id) {
        return HexFormat.of().formatHex(id.toBytes());
    }

    @Override
    List<EightByteId> throughForms(EightByteId id) {
        return List.of(
                EightByteId.parseBase64Url(id.toBase64Url()),
                EightByteId.parseDecimal(id.toDecimal()),
                EightByteId.parseDecimal(Long.toString(id.toLong())),
                EightByteId.fromLong(id.toLong()));
    }

    @Override
    Stream<Refusal> refusals() {
        return Stream.of(
                whole("eightbyte must be 16 characters: 15", () -> EightByteId.parse("b7e2748b2231008")),
                at(1, "eightbyte must be of [0-9a-f]: 'x' at position 1", () -> EightByteId.parse("0xaab4f16b400095")),
                at(0, "eightbyte must be of [0-9a-f]: 'A' at position 0", () -> EightByteId.parse("Aa3a3ed859800073")),
                at(
                        1,
                        "eightbyte hex must be of [0-9a-fA-F]: 'g' at position 1",
                        () -> EightByteId.parseHex("Ag3a3ed859800073")),
                whole(
                        "eightbyte must have reserved bits 10..15 clear: bit 10 is set in aa3a3ed859800473",
                        () -> EightByteId.parse("aa3a3ed859800473")),
                whole(
                        "eightbyte must have reserved bits 10..15 clear: bit 10 is set in ffffffffffffffff",
                        () -> EightByteId.fromLong(-1)),
                whole("eightbyte must be 8 bytes: 7", () -> EightByteId.fromBytes(new byte[7])),
                whole(
                        "eightbyte base64url must be 11 characters: 12",
                        () -> EightByteId.parseBase64Url("AAAAAAAAAAA=")),
                at(
                        3,
                        "eightbyte base64url must be of [A-Za-z0-9_-]: '+' at position 3",
                        () -> EightByteId.parseBase64Url("AAA+AAAAAAA")),
                at(
                        10,
                        "eightbyte base64url must end with spare bits clear: 'B' at position 10",
                        () -> EightByteId.parseBase64Url("AAAAAAAAAAB")),
                at(
                        10,
                        "eightbyte base64url must end with spare bits clear: 'C' at position 10",
                        () -> EightByteId.parseBase64Url("AAAAAAAAAAC")),
                whole("eightbyte decimal must be 1..20 characters: 0", () -> EightByteId.parseDecimal("")),
                whole(
                        "eightbyte decimal must be 1..20 characters: 21",
                        () -> EightByteId.parseDecimal("000000000000000000000")),
                at(0, "eightbyte decimal must be of [0-9]: '-' at position 0", () -> EightByteId.parseDecimal("-")),
                at(2, "eightbyte decimal must be of [0-9]: '-' at position 2", () -> EightByteId.parseDecimal("-1-")),
                whole(
                        "eightbyte decimal must be of 64 bits, without leading zeros: -0",
                        () -> EightByteId.parseDecimal("-0")),
                whole(
                        "eightbyte must have reserved bits 10..15 clear: bit 10 is set in ffffffffffffffff",
                        () -> EightByteId.parseDecimal("-1")),
                whole(
                        "eightbyte decimal must be of 64 bits, without leading zeros: -9223372036854775809",
                        () -> EightByteId.parseDecimal("-9223372036854775809")),
                whole(
                        "eightbyte decimal must be 1..20 characters: 21",
                        () -> EightByteId.parseDecimal("-10000000000000000000")),
                at(0, "eightbyte decimal must be of [0-9]: '+' at position 0", () -> EightByteId.parseDecimal("+1")),
                at(
                        0,
                        "eightbyte decimal must be of [0-9]: U+FF11 at position 0",
                        () -> EightByteId.parseDecimal("\uff11")),
                whole(
                        "eightbyte decimal must be of 64 bits, without leading zeros: 01",
                        () -> EightByteId.parseDecimal("01")),
                whole(
                        "eightbyte decimal must be of 64 bits, without leading zeros: 18446744073709551616",
                        () -> EightByteId.parseDecimal("18446744073709551616")),
                whole(
                        "eightbyte must have reserved bits 10..15 clear: bit 10 is set in ffffffffffffffff",
                        () -> EightByteId.parseDecimal("18446744073709551615")),
                field("timestampMs must be 0..4398046511103: 4398046511104", () -> EightByteId.of(1L << 42, 0, 0, 0)),
                field("sequence must be 0..63: 64", () -> EightByteId.of(0, 64, 0, 0)),
                field("generator must be 0..63: -1", () -> EightByteId.of(0, 0, -1, 0)),
                field("cluster must be 0..15: 16", () -> EightByteId.of(0, 0, 0, 16)));
    }

    @Test
    void shouldSortAsVectorsSayWhenSortedByTime() {
        Vectors order = vectors.object("order");

        List<String> sorted = order.texts("unsorted").stream()
                .map(EightByteId::parse)
                .sorted(EightByteId.BY_TIME)
                .map(EightByteId::toString)
                .toList();

        assertEquals(order.texts("sorted_by_time_then_sequence"), sorted);
    }

    @Test
    void shouldTellEqualTimesApartWhenSortedByTime() {
        EightByteId id = EightByteId.of(1, 2, 3, 4);

        assertTrue(EightByteId.BY_TIME.compare(id, EightByteId.of(1, 3, 0, 0)) < 0);
        assertTrue(EightByteId.BY_TIME.compare(id, EightByteId.of(1, 2, 3, 5)) < 0);
        assertEquals(0, EightByteId.BY_TIME.compare(id, EightByteId.of(1, 2, 3, 4)));
    }

    @Test
    void shouldBeItsBytesWhenLong() {
        assertEquals(0xaa3a3ed859800073L, EightByteId.parse("aa3a3ed859800073").toLong());
        assertTrue(EightByteId.of(1, 0, 0, 0).toLong() < 0);
        assertTrue(EightByteId.of(2, 0, 0, 0).toLong() > 0);
    }

    @Test
    void shouldBeUnsignedWhenInOtherForms() {
        EightByteId largest = EightByteId.parse("ffffffffffff03ff");

        assertEquals(
                "18446744073709487103", EightByteId.parse("ffffffffffff03ff").toDecimal());
        assertEquals("________A_8", largest.toBase64Url());
        assertEquals(largest, EightByteId.parseDecimal("-64513"));
        assertEquals(new EightByteId(0, Long.MIN_VALUE), EightByteId.parseDecimal("-9223372036854775808"));
        assertEquals("0", new EightByteId(0, 0).toDecimal());
        assertEquals("AAAAAAAAAAA", new EightByteId(0, 0).toBase64Url());
    }
}
