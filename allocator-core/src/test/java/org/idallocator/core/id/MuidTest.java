package org.idallocator.core.id;

import static org.idallocator.core.id.Refusal.at;
import static org.idallocator.core.id.Refusal.field;
import static org.idallocator.core.id.Refusal.whole;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MuidTest extends IdContract<Muid> {
    private static final long MEDALLION = 417_399_343_184_351L;

    MuidTest() {
        super("muid", Muid.class, Muid.TYPE);
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
    Muid of(Vectors fields) {
        return Muid.of(fields.number("timestamp_us"), fields.number("medallion"), fields.integer("offset"));
    }

    @Override
    Map<String, Object> fields(Muid id) {
        return Map.of("timestamp_us", id.timestampUs(), "medallion", id.medallion(), "offset", id.offset());
    }

    @Override
    Instant time(Vectors fields) {
        return Instant.EPOCH.plus(fields.number("timestamp_us"), ChronoUnit.MICROS);
    }

    @Override
    Optional<Muid> tryParse(String text) {
        return Muid.tryParse(text);
    }

    @Override
    Stream<Sorting<Muid>> sortings() {
        return Stream.of(
                Sorting.by("text", Muid::toString, true, true),
                new Sorting<>("UUID's bytes", Uuids.unsigned(Muid::toUuid), true, true),
                Sorting.by("UUID", Muid::toUuid, false, false));
    }

    @Override
    Stream<Excluded> excluded() {
        return Stream.of();
    }

    @Override
    Muid fromBytes(byte[] bytes) {
        return Muid.fromBytes(bytes);
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
    List<Muid> throughForms(Muid id) {
        return List.of(
                Muid.fromUuid(id.toUuid()),
                Muid.parseUuid(id.toUuid().toString()),
                Muid.parseHex(id.toUuid().toString().replace("-", "")));
    }

    @Override
    Stream<Refusal> refusals() {
        return Stream.of(
                whole("muid must be 32 characters: 34", () -> Muid.parse("05D5EAC793E61F-17B9F5B9479DF-94AC0")),
                at(
                        2,
                        "muid must be of [0-9A-F]: 'd' at position 2",
                        () -> Muid.parse("05d5EAC793E61F17B9F5B9479DF94AC0")),
                at(
                        31,
                        "muid hex must be of [0-9a-fA-F]: ' ' at position 31",
                        () -> Muid.parseHex("05D5EAC793E61F17B9F5B9479DF94AC ")),
                whole(
                        "muid uuid must be of hex digits in groups of 8, 4, 4, 4 and 12: x5D5EAC7-93E6-1F17-B9F5-B9479DF94AC0",
                        () -> Muid.parseUuid("x5D5EAC7-93E6-1F17-B9F5-B9479DF94AC0")),
                whole("muid must be 16 bytes: 17", () -> Muid.fromBytes(new byte[17])),
                field("timestampUs must be 0..72057594037927935: -1", () -> Muid.of(-1, MEDALLION, 0)),
                field(
                        "timestampUs must be 0..72057594037927935: 72057594037927936",
                        () -> Muid.of(1L << 56, MEDALLION, 0)),
                field("medallion must be 281474976710656..562949953421311: 0", () -> Muid.of(0, 0, 0)),
                field(
                        "medallion must be 281474976710656..562949953421311: 562949953421312",
                        () -> Muid.of(0, 1L << 49, 0)),
                field("offset must be 0..1048575: 1048576", () -> Muid.of(0, MEDALLION, 1 << 20)),
                field("offset must be 0..1048575: -1", () -> Muid.of(0, MEDALLION, -1)));
    }

    @ParameterizedTest
    @MethodSource("otherMedallions")
    void shouldReadButTellApartWhenMedallionIsNotOfVersion1(Vectors vector) {
        Muid id = Muid.parse(vector.text("input"));

        assertFalse(id.isVersion1());
        assertEquals(vector.text("input"), id.toString());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldBeVersion1WhenBuilt(Vectors vector) {
        assertTrue(of(vector).isVersion1());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldBeItsBytesWhenUuid(Vectors vector) {
        String digits = Muid.parse(text(vector)).toUuid().toString().replace("-", "");

        assertEquals(binary(vector), digits);
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
