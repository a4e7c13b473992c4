package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Uid60;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The generator against the original's runs. The original keeps the sequence that was used last; ours starts with the next
 * one. {@code informative.regression} is left out: there the original goes back with its clock, and may issue IDs that it has
 * issued before, whereas ours holds the last second.
 */
final class Uid60VectorsTest {
    private static final Vectors UID60 = Vectors.of("uid60");

    private final ScriptedClock clock = new ScriptedClock(0);
    private int random;

    static Stream<Vectors> scenarios() {
        return UID60.objects("generator").filter(scenario -> scenario.has("steps"));
    }

    static Stream<Vectors> exhaustions() {
        return UID60.objects("generator").filter(scenario -> !scenario.has("steps"));
    }

    static Stream<Vectors> regressions() {
        return UID60.object("informative").objects("regression");
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldAgreeWithOriginalWhenClockReadsTheSame(Vectors scenario) {
        Uid60Generator generator = generator(scenario);

        scenario.objects("steps").forEach(step -> {
            random = step.integer("random");
            assertIs(step.object("expect"), draw(generator, step.number("clock_ms")));
        });
    }

    @ParameterizedTest
    @MethodSource("exhaustions")
    void shouldWaitForNextSecondWhenSecondIsUsedUp(Vectors scenario) {
        Uid60Generator generator = generator(scenario);
        Vectors first = scenario.object("first");
        Vectors last = scenario.object("last");
        Vectors next = scenario.object("first_of_next_second");
        List<Uid60> ids = new ArrayList<>();

        random = first.integer("random");
        for (int i = 0; i < scenario.integer("calls_in_first_second"); i++) {
            ids.add(draw(generator, first.number("clock_ms")));
        }
        Draw waiting = Draw.of(generator, 1, Variant.NONE, (high, low) -> ids.add(new Uid60(high, low)));

        assertIs(first, ids.get(0));
        assertIs(last, ids.get(ids.size() - 1));
        assertEquals(scenario.integer("calls_in_first_second"), new HashSet<>(ids).size());
        long untilNext = 1_000 - Math.floorMod(first.number("clock_ms"), 1_000L);
        assertEquals(new Draw(0, untilNext * 1_000_000, false), waiting);
        random = next.integer("random");
        assertIs(next, draw(generator, next.number("clock_ms")));
    }

    @ParameterizedTest
    @MethodSource("regressions")
    void shouldHoldLastSecondWhenOriginalGoesBack(Vectors scenario) {
        Uid60Generator generator = generator(scenario);
        List<Uid60> ids = new ArrayList<>();
        long[] latest = {0};

        scenario.objects("steps").forEach(step -> {
            random = step.integer("random");
            latest[0] = Math.max(latest[0], step.object("expect").number("timestamp_s"));
            Uid60 id = draw(generator, step.number("clock_ms"));
            assertEquals(latest[0], id.timestampS());
            assertEquals(step.object("expect").integer("sequence"), id.sequence());
            ids.add(id);
        });

        assertTrue(
                scenario.objects("steps").anyMatch(step -> step.object("expect").number("timestamp_s") < latest[0]),
                "the original went back");
        assertEquals(ids.size(), new HashSet<>(ids).size());
    }

    private Uid60Generator generator(Vectors scenario) {
        Fence fence = Fence.unbounded(clock, 0, Uid60Generator.UNIT.maxTick());
        int worker = Math.floorMod(scenario.integer("worker_counter"), Uid60.MAX_WORKER + 1);
        int start = (scenario.integer("initial_sequence") + 1) % (Uid60.MAX_SEQUENCE + 1);
        return new Uid60Generator(worker, start, () -> random, fence);
    }

    private Uid60 draw(Uid60Generator generator, long clockMs) {
        List<Uid60> ids = new ArrayList<>();
        clock.setMicros(clockMs * 1_000);
        assertEquals(Draw.all(1), Draw.of(generator, 1, Variant.NONE, (high, low) -> ids.add(new Uid60(high, low))));
        return ids.get(0);
    }

    private static void assertIs(Vectors expected, Uid60 id) {
        assertEquals(expected.text("display"), id.toString());
        assertEquals(expected.text("storage"), id.toDecimal());
        assertEquals(expected.number("timestamp_s"), id.timestampS());
        assertEquals(expected.integer("worker"), id.worker());
        assertEquals(expected.integer("sequence"), id.sequence());
    }
}
