package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The generator against the original's runs. Where the original slept and read its clock again, ours says how long to
 * wait, so that a step with several readings is several draws.
 */
final class SnoVectorsTest {
    private static final Vectors SNO = Vectors.of("sno");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The original's text says 4, as ours does; the original's code asks for 6. */
    private static final Set<Integer> POOLS_OF_THE_TEXT = Set.of(4, 5);

    private static final Pattern POOL = Pattern.compile("pool: (\\d+)");

    static Stream<Vectors> scenarios() {
        return SNO.objects("generator");
    }

    static Stream<Vectors> bounds() {
        return SNO.objects("bounds");
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldAgreeWithOriginalWhenClockReadsTheSame(Vectors scenario) {
        Replay replay = new Replay(scenario.object("config"));

        scenario.objects("steps").forEach(replay::step);

        assertEquals(replay.drawn.size(), new HashSet<>(replay.drawn).size(), "no ID twice");
    }

    @ParameterizedTest
    @MethodSource("bounds")
    void shouldTakeBoundsAsOriginalDoesWhenPoolIsLargeEnough(Vectors bounds) {
        if (!bounds.has("error") || POOLS_OF_THE_TEXT.contains(pool(bounds.text("error")))) {
            assertAccepted(bounds);
        } else {
            assertThrows(IllegalArgumentException.class, () -> snapshot(bounds));
        }
    }

    private static int pool(String error) {
        Matcher matcher = POOL.matcher(error);
        assertTrue(matcher.find(), error);
        return Integer.parseInt(matcher.group(1));
    }

    private static void assertAccepted(Vectors bounds) {
        SnoSnapshot taken = snapshot(bounds);
        if (bounds.has("result")) {
            Vectors result = bounds.object("result");
            assertEquals(result.integer("sequenceMin"), taken.range().min());
            assertEquals(result.integer("sequenceMax"), taken.range().max());
            assertEquals(result.integer("capacity"), taken.range().size());
            assertEquals(result.integer("sequence"), taken.sequence());
        } else {
            assertEquals(pool(bounds.text("error")), taken.range().size());
        }
    }

    private static SnoSnapshot snapshot(Vectors config) {
        return new SnoSnapshot(
                SnoPartition.of(0),
                config.integer("sequenceMin"),
                config.integer("sequenceMax"),
                config.integer("sequence"),
                0,
                0,
                0,
                0);
    }

    /** The generator and the clock of one scenario. */
    private static final class Replay {
        private final List<Sno> drawn = new ArrayList<>();
        private final ScriptedClock clock = new ScriptedClock(0);
        private final SnoGenerator generator;
        private final int partition;
        private final Map<String, Consumer<Vectors>> operations = Map.of(
                "new", this::draw,
                "newWithTime", this::at,
                "snapshot", this::snapshot,
                "sequence", this::sequence,
                "len", this::length);

        private Replay(Vectors config) {
            generator = SnoGenerator.restore(parsed(config), clock);
            partition = generator.partition().number();
        }

        private void step(Vectors step) {
            Objects.requireNonNull(operations.get(step.text("op")), () -> "unknown operation in " + step)
                    .accept(step);
        }

        private void draw(Vectors step) {
            long[] readings = step.numbers("clock").toArray();
            long last = readings[readings.length - 1];
            for (int i = 0; i < readings.length - 1; i++) {
                assertWaits(readings[i], last, step.integer("metabyte"));
            }
            show(last);
            Draw draw = Draw.of(
                    generator,
                    1,
                    SnoGenerator.metabyte(step.integer("metabyte")),
                    (high, low) -> assertIs(step.object("expect"), new Sno(high, low)));
            assertEquals(Draw.all(1), draw);
        }

        /**
         * Nothing is issued. The wait ends after this reading, and no later than the one at which the original went on.
         */
        private void assertWaits(long reading, long last, int metabyte) {
            show(reading);
            Draw draw = Draw.of(
                    generator, 1, SnoGenerator.metabyte(metabyte), (high, low) -> drawn.add(new Sno(high, low)));
            long resumes = SnoGenerator.UNIT.tickAt(clock.micros() + draw.waitNanos() / 1_000);
            assertEquals(0, draw.issued());
            assertTrue(reading < resumes && resumes <= last, () -> draw + " at " + reading);
        }

        private void assertIs(Vectors expected, Sno id) {
            drawn.add(id);
            assertEquals(expected.text("string"), id.toString());
            assertEquals(expected.number("timestamp_units"), id.timestampUnits());
            assertEquals(expected.integer("tick"), id.tick());
            assertEquals(expected.integer("sequence"), id.sequence());
        }

        /** Builds the ID of a given time with the sequence that the original took. */
        private void at(Vectors step) {
            Vectors expected = step.object("expect");
            Sno id = Sno.at(
                    Instant.ofEpochMilli(step.number("unix_ms")),
                    step.integer("metabyte"),
                    partition,
                    expected.integer("sequence"));

            assertEquals(expected.text("string"), id.toString());
            assertEquals(expected.number("timestamp_units"), id.timestampUnits());
            assertEquals(expected.integer("tick"), id.tick());
        }

        private void snapshot(Vectors step) {
            showOnly(step);
            assertEquals(parsed(step.object("expect")), generator.snapshot());
        }

        private void sequence(Vectors step) {
            showOnly(step);
            assertEquals(step.integer("expect"), generator.sequence());
        }

        private void length(Vectors step) {
            showOnly(step);
            assertEquals(step.integer("expect"), generator.length());
        }

        private void showOnly(Vectors step) {
            long[] readings = step.numbers("clock").toArray();
            assertEquals(1, readings.length);
            show(readings[0]);
        }

        private static SnoSnapshot parsed(Vectors snapshot) {
            try {
                return JSON.readValue(snapshot.toString(), SnoSnapshot.class);
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void show(long units) {
            clock.setMicros(SnoGenerator.UNIT.microsAt(units));
        }
    }
}
