package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;

final class EightByteIdTest extends IdContract<EightByteId> {
    EightByteIdTest() {
        super(EightByteId.class, EightByteId.TYPE, EightByteId::tryParse, EightByteId::fromBytes);
    }

    @Override
    String sortedField() {
        return "sorted_by_unsigned_bytes";
    }

    @Override
    EightByteId of(String fields) {
        return EightByteId.of(field(fields, 0), number(fields, 1), number(fields, 2), number(fields, 3));
    }

    @Override
    Instant time(Vectors fields) {
        return Instant.ofEpochMilli(fields.number("timestamp_ms"));
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
    EightByteId random(Random random) {
        return EightByteId.of(random.nextLong() >>> 22, random.nextInt(64), random.nextInt(64), random.nextInt(16));
    }

    @Override
    String encodedElsewhere(EightByteId id) {
        return HexFormat.of().formatHex(id.toBytes());
    }

    @Override
    List<EightByteId> otherwise(EightByteId id) {
        return List.of(EightByteId.parseDecimal(Long.toString(id.toLong())), EightByteId.fromLong(id.toLong()));
    }

    @Override
    String refusals() {
        return """
                canonical | b7e2748b2231008 | eightbyte must be 16 characters: 15
                canonical |  | eightbyte must be 16 characters: 0
                canonical | 0xaab4f16b400095 | eightbyte must be of [0-9a-f]: 'x' at position 1
                canonical | Aa3a3ed859800073 | eightbyte must be of [0-9a-f]: 'A' at position 0
                canonical | aa3a3ed859800473 | eightbyte must have reserved bits 48..53 clear: bit 53 is set in aa3a3ed859800473
                hex | Ag3a3ed859800073 | eightbyte hex must be of [0-9a-fA-F]: 'g' at position 1
                bytes | 7 | eightbyte must be 8 bytes: 7
                bits | 1 0 | eightbyte must be of 64 bits: 00000000000000010000000000000000
                bits | 0 400 | eightbyte must have reserved bits 48..53 clear: bit 53 is set in 0000000000000400
                bits | 0 8000 | eightbyte must have reserved bits 48..53 clear: bit 48 is set in 0000000000008000
                base64url | AAAAAAAAAAA= | eightbyte base64url must be 11 characters: 12
                base64url | AAA+AAAAAAA | eightbyte base64url must be of [A-Za-z0-9_-]: '+' at position 3
                base64url | AAAAAAAAAAB | eightbyte base64url must end with spare bits clear: 'B' at position 10
                base64url | AAAAAAAAAAC | eightbyte base64url must end with spare bits clear: 'C' at position 10
                decimal |  | eightbyte decimal must be 1..20 characters: 0
                decimal | 000000000000000000000 | eightbyte decimal must be 1..20 characters: 21
                decimal | - | eightbyte decimal must be of [0-9]: '-' at position 0
                decimal | -1- | eightbyte decimal must be of [0-9]: '-' at position 2
                decimal | -0 | eightbyte decimal must be of 64 bits, without leading zeros: -0
                decimal | -1 | eightbyte must have reserved bits 48..53 clear: bit 48 is set in ffffffffffffffff
                decimal | -9223372036854775809 | eightbyte decimal must be of 64 bits, without leading zeros: -9223372036854775809
                decimal | -10000000000000000000 | eightbyte decimal must be 1..20 characters: 21
                decimal | +1 | eightbyte decimal must be of [0-9]: '+' at position 0
                decimal | \uff11 | eightbyte decimal must be of [0-9]: U+FF11 at position 0
                decimal | 01 | eightbyte decimal must be of 64 bits, without leading zeros: 01
                decimal | 18446744073709551616 | eightbyte decimal must be of 64 bits, without leading zeros: 18446744073709551616
                decimal | 18446744073709551615 | eightbyte must have reserved bits 48..53 clear: bit 48 is set in ffffffffffffffff
                of | 4398046511104 0 0 0 | timestampMs must be 0..4398046511103: 4398046511104
                of | 0 64 0 0 | sequence must be 0..63: 64
                of | 0 0 -1 0 | generator must be 0..63: -1
                of | 0 0 0 16 | cluster must be 0..15: 16
                """;
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
