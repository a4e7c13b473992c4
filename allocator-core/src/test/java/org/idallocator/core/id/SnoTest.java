package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.codec.binary.Base32;
import org.idallocator.core.Vectors;
import org.idallocator.core.id.Conformance.Fields;
import org.idallocator.core.id.Conformance.Valid;
import org.idallocator.core.id.IdType.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SnoTest extends IdContract<Sno> {
    private static final Base32 OTHER_ENCODER = Base32.builder()
            .setEncodeTable("23456789abcdefghijklmnopqrstuvwx".getBytes(US_ASCII))
            .get();

    private static final Vectors ORIGINAL = Vectors.of("sno");

    SnoTest() {
        super(Sno.class, Sno.TYPE, Sno::tryParse, Sno::fromBytes);
    }

    static Stream<Vectors> fromTime() {
        return ORIGINAL.objects("from_time");
    }

    static Stream<Vectors> outOfRangeTimes() {
        return ORIGINAL.object("informative").object("out_of_range_times").objects("items");
    }

    @Override
    Sno of(Fields fields) {
        return Sno.of(
                fields.get("timestamp_units"),
                fields.integer("tick"),
                fields.integer("metabyte"),
                fields.integer("partition"),
                fields.integer("sequence"));
    }

    @Override
    Stream<Sorting<Sno>> sortings() {
        return Stream.of(
                new Sorting<>("UUID's bytes", Uuids.unsigned(Sno::toUuid), true, true),
                Sorting.by("UUID", Sno::toUuid, true, true));
    }

    @Override
    Sno random(Random random) {
        return new Sno(random.nextLong() >>> 48, random.nextLong());
    }

    @Override
    String encodedElsewhere(Sno id) {
        return OTHER_ENCODER.encodeAsString(id.toBytes());
    }

    @Override
    List<Sno> otherwise(Sno id) {
        return List.of(
                Sno.parseUuid(id.toUuid().toString().toUpperCase(Locale.ROOT)),
                Sno.fromUuid(id.toUuid()),
                Sno.of(id.timestampUnits(), id.tick(), id.metabyte(), id.partition(), id.sequence()));
    }

    @Override
    String refusals() {
        return """
                bits | 10000 0 | sno must be of 80 bits: 00000000000100000000000000000000
                bits | 8000000000000000 0 | sno must be of 80 bits: 80000000000000000000000000000000
                ofTime | 2009-12-31T23:59:59.999999999Z | time must be 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z: 2009-12-31T23:59:59.999999999Z
                ofTime | 2079-09-07T15:47:35.552Z | time must be 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z: 2079-09-07T15:47:35.552Z
                withMetabyte | 256 | metabyte must be 0..255: 256
                withPartition | -1 | partition must be 0..65535: -1
                withSequence | 65536 | sequence must be 0..65535: 65536
                withTime | 2009-12-31T23:59:59.999999999Z | time must be 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z: 2009-12-31T23:59:59.999999999Z
                withTime | 2079-09-07T15:47:35.552Z | time must be 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z: 2079-09-07T15:47:35.552Z
                metabyteOf | 2222222222 | sno must be 16 characters: 10
                metabyteOf | 22222222zz222222 | sno must be of [2-9a-x]: 'z' at position 8
                metabyteOf | 222222222A222222 | sno must be of [2-9a-x]: 'A' at position 9
                """;
    }

    @Override
    Map<String, Function<String, ?>> doors() {
        return Map.of(
                "ofTime",
                time -> Sno.at(Instant.parse(time), 0, 0, 0),
                "withMetabyte",
                metabyte -> Sno.ZERO.withMetabyte(Integer.parseInt(metabyte)),
                "withPartition",
                partition -> Sno.ZERO.withPartition(Integer.parseInt(partition)),
                "withSequence",
                sequence -> Sno.ZERO.withSequence(Integer.parseInt(sequence)),
                "withTime",
                time -> Sno.ZERO.withTime(Instant.parse(time)),
                "metabyteOf",
                Sno::metabyteOf);
    }

    @ParameterizedTest
    @MethodSource("fromTime")
    void shouldRoundDownWhenBuiltOfTime(Vectors vector) {
        Sno id = Sno.at(
                input(vector), vector.integer("metabyte"), vector.integer("partition"), vector.integer("sequence"));

        assertEquals(vector.text("string"), id.toString());
        assertEquals(vector.text("binary"), id.toHex());
        assertEquals(vector.number("timestamp_units"), id.timestampUnits());
        assertEquals(0, id.tick());
        assertEquals(Instant.ofEpochMilli(vector.number("time_unix_ms")), id.time());
    }

    @ParameterizedTest
    @MethodSource("outOfRangeTimes")
    void shouldRefuseTimeWhenOriginalWouldWrapIt(Vectors vector) {
        assertThrows(IllegalArgumentException.class, () -> Sno.at(input(vector), 0, 0, 0));
    }

    @Test
    void shouldRefuseTimeWhenFarFromAnyEpoch() {
        assertThrows(IllegalArgumentException.class, () -> Sno.at(Instant.MAX, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> Sno.at(Instant.MIN, 0, 0, 0));
    }

    @Test
    void shouldBeCharactersOfTextWhenUuid() {
        Sno id = Sno.parse("8vlcf42gv94lg222");

        assertEquals(UUID.fromString("38766c63-6634-3267-7639-346c67323232"), id.toUuid());
    }

    @Test
    void shouldReadUuidWhenItsTextIsUpperCase() {
        UUID uuid = UUID.fromString("38766C63-6634-3267-7639-346C67323232");

        assertEquals(Sno.parse("8vlcf42gv94lg222"), Sno.fromUuid(uuid));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void shouldReadMetabyteWhenGivenTextAlone(Valid valid) {
        assertEquals(valid.fields().integer("metabyte"), Sno.metabyteOf(valid.text(Form.CANONICAL)));
    }

    @Test
    void shouldReadEveryMetabyteWhenAllBitsAroundItAreSet() {
        for (int metabyte = 0; metabyte <= Sno.MAX_METABYTE; metabyte++) {
            Sno id = Sno.of(Sno.MAX_TIMESTAMP_UNITS, 1, metabyte, Sno.MAX_PARTITION, Sno.MAX_SEQUENCE);
            assertEquals(metabyte, Sno.metabyteOf(id.toString()));
        }
    }

    @Test
    void shouldLookAtNoOtherCharacterWhenReadingMetabyte() {
        assertEquals(0, Sno.metabyteOf("????????22??????"));
    }

    @Test
    void shouldChangeNothingElseWhenOneFieldIsChanged() {
        for (Sno id :
                List.of(Sno.ZERO, Sno.of(Sno.MAX_TIMESTAMP_UNITS, 1, 255, 65_535, 65_535), random(new Random(9)))) {
            long units = id.timestampUnits();
            assertEquals(Sno.of(units, id.tick(), 7, id.partition(), id.sequence()), id.withMetabyte(7));
            assertEquals(Sno.of(units, id.tick(), id.metabyte(), 7, id.sequence()), id.withPartition(7));
            assertEquals(
                    Sno.of(units, id.tick(), id.metabyte(), 263, id.sequence()),
                    id.withPartition(SnoPartition.ofBytes(1, 7).number()));
            assertEquals(Sno.of(units, id.tick(), id.metabyte(), id.partition(), 7), id.withSequence(7));
            assertEquals(
                    Sno.of(2, id.tick(), id.metabyte(), id.partition(), id.sequence()),
                    id.withTime(Sno.MIN_TIME.plusMillis(11)));
        }
    }

    @Test
    void shouldTakeBoundsWhenTimeIsChanged() {
        Sno id = Sno.of(7, 1, 2, 3, 4);

        assertEquals(Sno.of(0, 1, 2, 3, 4), id.withTime(Sno.MIN_TIME));
        assertEquals(Sno.of(Sno.MAX_TIMESTAMP_UNITS, 1, 2, 3, 4), id.withTime(Sno.MAX_TIME));
    }

    @Test
    void shouldBeFirstWhenZero() {
        assertEquals("2222222222222222", Sno.ZERO.toString());
        assertEquals(Sno.ZERO, Sno.at(Sno.MIN_TIME, 0, 0, 0));
        assertEquals(Sno.ZERO, Sno.parse("2222222222222222"));
        assertTrue(Sno.ZERO.compareTo(Sno.parse("2222222222222223")) < 0);
    }

    @Test
    void shouldBoundTimesWhenBuiltOfTimeAndZeros() {
        Instant from = Sno.MIN_TIME.plusMillis(400);
        Sno first = Sno.at(from, 0, 0, 0);

        assertTrue(Sno.of(99, 1, 255, 65_535, 65_535).compareTo(first) < 0);
        assertTrue(first.compareTo(Sno.of(100, 0, 0, 0, 1)) < 0);
        assertTrue(first.compareTo(Sno.of(100, 1, 0, 0, 0)) < 0);
    }

    @Test
    void shouldKeepTimeWhenTicked() {
        Sno tick = Sno.of(7, 0, 1, 2, 3);
        Sno tock = Sno.of(7, 1, 1, 2, 3);

        assertEquals(tick.time(), tock.time());
        assertTrue(tick.compareTo(tock) < 0);
    }

    private static Instant input(Vectors vector) {
        return Instant.EPOCH.plusNanos(vector.number("input_unix_ns"));
    }
}
