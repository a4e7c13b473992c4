package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The generator against the original's runs. {@code informative.regression} is left out: there the original does not notice
 * that its clock stepped back, and issues IDs twice, whereas ours holds the last millisecond.
 */
final class EightByteVectorsTest {
    private static final Vectors EIGHTBYTE = Vectors.of("eightbyte");

    private final ScriptedClock clock = new ScriptedClock(0);

    static Stream<Vectors> scenarios() {
        return EIGHTBYTE.objects("generator");
    }

    static Stream<Vectors> regressions() {
        return EIGHTBYTE.object("informative").objects("regression");
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldAgreeWithOriginalWhenClockReadsTheSame(Vectors scenario) {
        EightByteGenerator generator = generator(scenario);

        scenario.objects("steps").forEach(step -> {
            Vectors expected = step.object("expect");
            EightByteId id = draw(generator, step.numbers("clock").toArray());

            assertEquals(expected.text("binary"), id.toHex());
            assertEquals(expected.number("timestamp_ms"), id.timestampMs());
            assertEquals(expected.integer("sequence"), id.sequence());
        });
    }

    @ParameterizedTest
    @MethodSource("regressions")
    void shouldHoldLastMillisecondWhenOriginalRepeatsIds(Vectors scenario) {
        EightByteGenerator generator = generator(scenario);
        List<String> original = new ArrayList<>();
        List<String> ours = new ArrayList<>();
        long[] latest = {0};

        scenario.objects("steps").forEach(step -> {
            long[] readings = step.numbers("clock").toArray();
            latest[0] = Math.max(latest[0], readings[readings.length - 1]);
            EightByteId id = draw(generator, readings);
            assertEquals(latest[0], id.timestampMs());
            original.add(step.object("expect").text("binary"));
            ours.add(id.toHex());
        });

        assertNotEquals(original.size(), new HashSet<>(original).size(), "the original issued an ID twice");
        assertEquals(ours.size(), new HashSet<>(ours).size(), "ours did not");
    }

    private EightByteGenerator generator(Vectors scenario) {
        Fence fence = Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick());
        return new EightByteGenerator(scenario.integer("generator"), scenario.integer("cluster"), false, fence);
    }

    /** The original waited at every reading but the last. */
    private EightByteId draw(EightByteGenerator generator, long[] readings) {
        List<EightByteId> ids = new ArrayList<>();
        for (int i = 0; i < readings.length - 1; i++) {
            clock.setMicros(readings[i] * 1_000);
            Draw draw = Draw.of(generator, 1, Variant.NONE, (high, low) -> ids.add(new EightByteId(high, low)));
            assertEquals(0, draw.issued());
            assertTrue(draw.waitNanos() > 0);
        }
        clock.setMicros(readings[readings.length - 1] * 1_000);
        assertEquals(
                Draw.all(1), Draw.of(generator, 1, Variant.NONE, (high, low) -> ids.add(new EightByteId(high, low))));
        assertEquals(1, ids.size());
        return ids.get(0);
    }
}
