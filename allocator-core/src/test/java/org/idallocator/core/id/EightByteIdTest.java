package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.id.Conformance.Fields;
import org.junit.jupiter.api.Test;

final class EightByteIdTest extends IdContract<EightByteId> {
    EightByteIdTest() {
        super(EightByteId.class, EightByteId.TYPE, EightByteId::tryParse, EightByteId::fromBytes);
    }

    @Override
    EightByteId of(Fields fields) {
        return EightByteId.of(
                fields.get("timestamp_ms"),
                fields.integer("sequence"),
                fields.integer("generator"),
                fields.integer("cluster"));
    }

    @Override
    Stream<Sorting<EightByteId>> sortings() {
        return Stream.of(
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
                bits | 1 0 | eightbyte must be of 64 bits: 00000000000000010000000000000000
                bits | 0 400 | eightbyte must have reserved bits 48..53 clear: bit 53 is set in 0000000000000400
                bits | 0 8000 | eightbyte must have reserved bits 48..53 clear: bit 48 is set in 0000000000008000
                """;
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
}
