package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SnoPorterTest {
    private static final SnoPartition PARTITION = SnoPartition.of(50_487);
    private static final Instant THEN = Instant.parse("2012-06-01T10:00:00.001Z");

    private final SnoPorter porter = new SnoPorter(PARTITION, new SnoRange(8, 15));

    static Stream<Vectors> originalsRuns() {
        return Vectors.of("sno")
                .objects("generator")
                .filter(scenario -> portings(scenario).findAny().isPresent());
    }

    private static Stream<Vectors> portings(Vectors scenario) {
        return scenario.objects("steps").filter(step -> step.text("op").equals("newWithTime"));
    }

    @Test
    void shouldCountInEachUnitWhenTimesComeInAnyOrder() {
        assertEquals(8, porter.next(THEN, 0).sequence());
        assertEquals(8, porter.next(THEN.minusMillis(4_000), 0).sequence());
        assertEquals(9, porter.next(THEN.plusMillis(1), 0).sequence(), "the same 4 ms");
        Sno last = porter.next(THEN.minusMillis(4_000), 255);
        assertEquals(Sno.of(last.timestampUnits(), 0, 255, PARTITION.number(), 9), last, "whatever the metabyte");
        assertEquals(Instant.parse("2012-06-01T09:59:56Z"), last.time());
    }

    /** Time and tick agree. The sequences do not: the original's runs on through all times and starts over. */
    @ParameterizedTest
    @MethodSource("originalsRuns")
    void shouldRepeatNothingWhenOriginalDoes(Vectors scenario) {
        SnoPorter whole = new SnoPorter(PARTITION, SnoRange.ALL);
        List<Sno> ids = new ArrayList<>();

        portings(scenario).forEach(step -> {
            Sno id = whole.next(Instant.ofEpochMilli(step.number("unix_ms")), step.integer("metabyte"));
            ids.add(id);
            assertEquals(step.object("expect").number("timestamp_units"), id.timestampUnits());
            assertEquals(step.object("expect").integer("tick"), id.tick());
        });

        assertEquals(ids.size(), new HashSet<>(ids).size());
    }

    @Test
    void shouldRefuseWhenUnitIsUsedUp() {
        for (int i = 0; i < 8; i++) {
            porter.next(THEN, i);
        }

        for (int i = 0; i < 3; i++) {
            IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> porter.next(THEN, 0));
            assertEquals(
                    "time unit 19060200000 (4 ms from 2012-06-01T10:00:00Z) holds 8 IDs, sequences 8..15, and all are"
                            + " used",
                    thrown.getMessage());
        }
        assertEquals(8, porter.next(THEN.plusMillis(4), 0).sequence(), "the next unit is unharmed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2009-12-31T23:59:59.999999999Z", "2079-09-07T15:47:35.552Z"})
    void shouldRefuseWhenTimeIsOutsideTheField(Instant time) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> porter.next(time, 0));

        assertEquals("time must be 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z: " + time, thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = 256)
    void shouldUseNothingUpWhenMetabyteIsRefused(int metabyte) {
        assertThrows(IllegalArgumentException.class, () -> porter.next(THEN, metabyte));

        assertEquals(8, porter.next(THEN, 0).sequence());
    }

    @Test
    void shouldUseEachSequenceOnceWhenThreadsMeetInTheSameUnits() throws Exception {
        SnoPorter whole = new SnoPorter(PARTITION, SnoRange.ALL);
        int threads = 4;
        int rounds = 20_000;
        Callable<List<Sno>> port = () -> {
            List<Sno> ids = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                ids.add(whole.next(THEN.plusMillis(4L * (i % 3)), i & 0xff));
            }
            return ids;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Set<Long> positions = new HashSet<>();
        try {
            List<Future<List<Sno>>> runs =
                    Stream.generate(() -> pool.submit(port)).limit(threads).toList();
            for (Future<List<Sno>> run : runs) {
                run.get().forEach(id -> positions.add(id.timestampUnits() << 16 | id.sequence()));
            }
        } finally {
            pool.shutdownNow();
        }

        assertEquals(threads * rounds, positions.size(), "not only with their metabytes");
    }
}
