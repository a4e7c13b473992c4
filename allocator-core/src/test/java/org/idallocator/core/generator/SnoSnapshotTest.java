package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the vectors of sno do not show of its snapshots. */
final class SnoSnapshotTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SnoPartition PARTITION = SnoPartition.ofBytes(197, 55);
    private static final String WHOLE = "{\"partition\":[197,55],\"sequenceMin\":8,\"sequenceMax\":15,\"sequence\":10,"
            + "\"now\":150,\"wallHi\":150,\"wallSafe\":200,\"drifts\":1}";

    private final ScriptedClock clock = new ScriptedClock(0);

    // --- As JSON.

    @Test
    void shouldHaveOriginalsFieldsInItsOrderAndComeBackWhenWritten() throws Exception {
        SnoSnapshot snapshot = new SnoSnapshot(PARTITION, 8, 15, 10, 150, 150, 200, 1);

        assertEquals(WHOLE, JSON.writeValueAsString(snapshot));
        assertEquals(snapshot, JSON.readValue(WHOLE, SnoSnapshot.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"partition": [197, 55]}  | 50487
        {"partition": 50487}      | 50487
        {"partition": 0}          | 0
        {"partition": null}       | 0
        {}                        | 0
        """)
    void shouldReadPartitionWhenItIsTwoBytesOrOneNumber(String json, int partition) throws Exception {
        assertEquals(
                new SnoSnapshot(SnoPartition.of(partition), 0, 65_535, 0, 0, 0, 0, 0),
                JSON.readValue(json, SnoSnapshot.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"partition": [1]}       | partition must be two bytes, [0..255, 0..255], or 0..65535: [1]
        {"partition": "xTc="}    | partition must be two bytes, [0..255, 0..255], or 0..65535: xTc=
        {"partition": [1, "2"]}  | partition must be two bytes, [0..255, 0..255], or 0..65535: [1, 2]
        {"wallHi": -1}           | wallHi must be 0..549755813887: -1
        {"sequence": -5}         | sequence must be 0..4294967295: -5
        """)
    void shouldRefuseWhenJsonIsNonsense(String json, String message) {
        ValueInstantiationException thrown =
                assertThrows(ValueInstantiationException.class, () -> JSON.readValue(json, SnoSnapshot.class));

        assertEquals(message, Objects.requireNonNull(thrown.getCause()).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"partition": 65536}
        {"partition": [256, 0]}
        {"wallhi": 5}
        {"sequenceMin": 99999999999}
        """)
    void shouldRefuseWhenJsonIsNoSnapshots(String json) {
        assertThrows(JsonProcessingException.class, () -> JSON.readValue(json, SnoSnapshot.class));
    }

    // --- Bounds.

    @ParameterizedTest
    @CsvSource({
        "0, 65536, 0, 0, 0, 0, 0, sequenceMax must be 0..65535: 65536",
        "7, 9, 0, 0, 0, 0, 0, a sno generator needs at least 4 sequences: 7..9 has 3",
        "8, 15, 7, 0, 0, 0, 0, sequence must be 8..4294967295: 7",
        "8, 15, 4294967296, 0, 0, 0, 0, sequence must be 8..4294967295: 4294967296",
        "8, 15, 8, 549755813888, 0, 0, 0, now must be 0..549755813887: 549755813888",
        "8, 15, 8, 0, 549755813888, 0, 0, wallHi must be 0..549755813887: 549755813888",
        "8, 15, 8, 0, 0, 549755813888, 0, wallSafe must be 0..549755813887: 549755813888",
        "8, 15, 8, 0, 0, 0, 4294967296, drifts must be 0..4294967295: 4294967296"
    })
    void shouldRefuseWhenOutOfBounds(
            int min, int max, long sequence, long now, long wallHi, long wallSafe, long drifts, String message) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> new SnoSnapshot(PARTITION, min, max, sequence, now, wallHi, wallSafe, drifts));

        assertEquals(message, thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "16, 8, 12, 8, 16, 12",
        "2048, 0, 0, 2048, 65535, 2048",
        "65535, 0, 0, 0, 65535, 0",
        "8, 15, 0, 8, 15, 8",
        "8, 15, 90, 8, 15, 90"
    })
    void shouldTakeValuesAsOriginalDoesWhenGiven(int min, int max, long sequence, int first, int last, long taken) {
        SnoSnapshot snapshot = new SnoSnapshot(PARTITION, min, max, sequence, 0, 0, 0, 0);

        assertEquals(new SnoRange(first, last), snapshot.range());
        assertEquals(taken, snapshot.sequence());
    }

    // --- Taken and restored.

    @Test
    void shouldCountDriftsModuloWhenTheyGoPastOriginalsField() {
        SnoGenerator generator = restoredAt(200, new SnoSnapshot(PARTITION, 8, 15, 9, 200, 200, 0, 4_294_967_295L));
        draw(generator, 1);
        at(150);

        Sno id = draw(generator, 1).get(0);

        assertEquals(0, id.tick());
        assertEquals(0, generator.snapshot().drifts());
    }

    @ParameterizedTest
    @CsvSource({"-5, 0", "0, 0", "549755813887, 549755813887", "549755813999, 549755813887"})
    void shouldBeTakenWhenClockIsOutsideOfTheField(long units, long now) {
        SnoGenerator generator = restoredAt(units, SnoSnapshot.fresh(PARTITION, new SnoRange(8, 15)));

        assertEquals(now, generator.snapshot().now());
    }

    @Test
    void shouldSayWhatIsUsedWhenClockHasMovedOn() {
        SnoGenerator generator = restoredAt(200, SnoSnapshot.fresh(PARTITION, new SnoRange(8, 15)));
        draw(generator, 5);
        at(201);

        assertEquals(12, generator.snapshot().sequence(), "the original says 8");
        assertEquals(8, generator.sequence());
        assertEquals(0, generator.length());
    }

    @Test
    void shouldTakeTickAsUsedUpWhenOriginalDoesNotSayWhatIsUsed() {
        SnoGenerator generator = restoredAt(200, new SnoSnapshot(PARTITION, 8, 15, 8, 201, 200, 0, 0));

        assertEquals(List.of(), draw(generator, 1));
        at(201);
        assertEquals(8, draw(generator, 8).size());
    }

    @ParameterizedTest
    @CsvSource({"8, 7", "14, 1", "15, 0", "16, 0", "4294967295, 0"})
    void shouldGoOnAfterSequenceWhenRestoredInItsTick(long sequence, int left) {
        SnoGenerator generator = restoredAt(200, new SnoSnapshot(PARTITION, 8, 15, sequence, 200, 200, 0, 0));

        List<Sno> ids = draw(generator, 100);

        assertEquals(left, ids.size());
        assertTrue(ids.stream().allMatch(id -> id.sequence() > sequence));
    }

    /** As in the original, a snapshot of no IDs and one of a single ID at the epoch are the same. */
    @Test
    void shouldStartAfterLowerBoundWhenFreshAndClockIsAtTheEpoch() {
        SnoGenerator generator = restoredAt(0, SnoSnapshot.fresh(PARTITION, new SnoRange(8, 15)));

        assertEquals(9, draw(generator, 1).get(0).sequence());
    }

    @Test
    void shouldTellItselfWhenAsked() {
        SnoGenerator generator = restoredAt(200, new SnoSnapshot(PARTITION, 8, 15, 10, 200, 200, 0, 0));

        assertEquals(PARTITION, generator.partition());
        assertEquals(new SnoRange(8, 15), generator.range());
        assertEquals(3, generator.length());
        assertEquals(10, generator.sequence());
        draw(generator, 100);
        assertEquals(8, generator.length());
        assertEquals(15, generator.sequence());
    }

    @Test
    void shouldSayItsFloorWhenLeasedGeneratorHasIssuedNothing() {
        Fence leased = Fence.unbounded(clock, 500, SnoGenerator.UNIT.maxTick());

        SnoSnapshot snapshot = new SnoGenerator(PARTITION, SnoRange.ALL, leased).snapshot();

        assertEquals(new SnoSnapshot(PARTITION, 0, 0, 0, 0, 500, 499, 0), snapshot);
    }

    private SnoGenerator restoredAt(long units, SnoSnapshot from) {
        at(units);
        return SnoGenerator.restore(from, clock);
    }

    private void at(long units) {
        clock.setMicros(SnoGenerator.UNIT.microsAt(units));
    }

    private static List<Sno> draw(SnoGenerator from, int count) {
        List<Sno> ids = new ArrayList<>();
        Draw.of(from, count, Variant.NONE, (high, low) -> ids.add(new Sno(high, low)));
        return ids;
    }
}
