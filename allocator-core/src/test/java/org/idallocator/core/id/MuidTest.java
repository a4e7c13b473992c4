package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MuidTest extends IdContract<Muid> {
    private static final long MEDALLION = 417_399_343_184_351L;

    MuidTest() {
        super(Muid.class, Muid.TYPE, Muid::tryParse, Muid::fromBytes);
    }

    /** Without the IDs of other medallions, which can be read but not made: see {@link #otherMedallions}. */
    @Override
    Stream<Vectors> invalid() {
        return super.invalid().filter(invalid -> !isOtherMedallion(invalid));
    }

    Stream<Vectors> otherMedallions() {
        return super.invalid().filter(MuidTest::isOtherMedallion);
    }

    private static boolean isOtherMedallion(Vectors invalid) {
        return invalid.text("reason").equals("medallion_out_of_range");
    }

    @Override
    Muid of(String fields) {
        return Muid.of(field(fields, 0), field(fields, 1), number(fields, 2));
    }

    @Override
    Instant time(Vectors fields) {
        return Instant.EPOCH.plus(fields.number("timestamp_us"), ChronoUnit.MICROS);
    }

    @Override
    Stream<Sorting<Muid>> sortings() {
        return Stream.of(
                Sorting.by("text", Muid::toString, true, true),
                new Sorting<>("UUID's bytes", Uuids.unsigned(Muid::toUuid), true, true),
                Sorting.by("UUID", Muid::toUuid, false, false));
    }

    @Override
    Muid random(Random random) {
        return Muid.of(random.nextLong() >>> 8, 1L << 48 | random.nextLong() >>> 16, random.nextInt() >>> 12);
    }

    @Override
    String encodedElsewhere(Muid id) {
        return HexFormat.of().withUpperCase().formatHex(id.toBytes());
    }

    @Override
    List<Muid> otherwise(Muid id) {
        return List.of(
                Muid.fromUuid(id.toUuid()), Muid.parseHex(id.toUuid().toString().replace("-", "")));
    }

    @Override
    String refusals() {
        return """
                canonical | 05D5EAC793E61F-17B9F5B9479DF-94AC0 | muid must be 32 characters: 34
                canonical |  | muid must be 32 characters: 0
                canonical | 05d5EAC793E61F17B9F5B9479DF94AC0 | muid must be of [0-9A-F]: 'd' at position 2
                hex | 05D5EAC793E61F17B9F5B9479DF94AC\\s | muid hex must be of [0-9a-fA-F]: ' ' at position 31
                uuid | x5D5EAC7-93E6-1F17-B9F5-B9479DF94AC0 | muid uuid must be of hex digits in groups of 8, 4, 4, 4 and 12: x5D5EAC7-93E6-1F17-B9F5-B9479DF94AC0
                bytes | 17 | muid must be 16 bytes: 17
                of | -1 417399343184351 0 | timestampUs must be 0..72057594037927935: -1
                of | 72057594037927936 417399343184351 0 | timestampUs must be 0..72057594037927935: 72057594037927936
                of | 0 0 0 | medallion must be 281474976710656..562949953421311: 0
                of | 0 562949953421312 0 | medallion must be 281474976710656..562949953421311: 562949953421312
                of | 0 417399343184351 1048576 | offset must be 0..1048575: 1048576
                of | 0 417399343184351 -1 | offset must be 0..1048575: -1
                """;
    }

    @ParameterizedTest
    @MethodSource("otherMedallions")
    void shouldReadButTellApartWhenMedallionIsNotOfVersion1(Vectors vector) {
        Muid id = Muid.parse(vector.text("input"));

        assertFalse(id.isVersion1());
        assertEquals(vector.text("input"), id.toString());
    }

    @Test
    void shouldKeepTransactionTogetherWhenSorted() {
        Muid transaction = Muid.of(7, MEDALLION, 0);
        Muid last = Muid.of(7, MEDALLION, Muid.MAX_OFFSET);

        assertTrue(Muid.of(7, MEDALLION - 1, Muid.MAX_OFFSET).compareTo(transaction) < 0);
        assertTrue(transaction.compareTo(last) < 0);
        assertTrue(last.compareTo(Muid.of(7, MEDALLION + 1, 0)) < 0);
    }

    @Test
    void shouldDesignateTransactionWhenOffsetIsZero() {
        Muid object = Muid.of(1, MEDALLION, 0xfffff);
        Muid transaction = Muid.of(1, MEDALLION, 0);

        assertFalse(object.isTransaction());
        assertEquals(transaction, object.transaction());
        assertTrue(transaction.isTransaction());
        assertSame(transaction, transaction.transaction());
    }
}
