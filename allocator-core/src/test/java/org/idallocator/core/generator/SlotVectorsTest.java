package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.Uid60;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The generators of eightbyte and uid60 against the originals' runs. The original of uid60 keeps the sequence that was
 * used last; ours starts with the next one. In {@code informative.regression} the original of eightbyte does not notice
 * that its clock stepped back, and issues IDs twice; that of uid60 goes back with its clock, and may do so. Ours hold
 * the last tick.
 */
final class SlotVectorsTest {
    private final ScriptedClock clock = new ScriptedClock(0);
    private int random;

    static Stream<Arguments> scenarios() {
        return runs(vectors -> vectors.objects("generator").filter(run -> run.has("steps")));
    }

    static Stream<Arguments> regressions() {
        return runs(vectors -> vectors.object("informative").objects("regression"));
    }

    private static Stream<Arguments> runs(Function<Vectors, Stream<Vectors>> of) {
        return Stream.<IdType<?>>of(EightByteId.TYPE, Uid60.TYPE)
                .flatMap(type ->
                        of.apply(Vectors.of(type.name())).map(run -> Arguments.of(Named.of(type.name(), type), run)));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    <T extends Id> void shouldAgreeWithOriginalWhenClockReadsTheSame(IdType<T> type, Vectors run) {
        Generator generator = generator(run);

        run.objects("steps")
                .forEach(step -> assertEquals(original(type, step.object("expect")), draw(generator, type, step)));
    }

    @ParameterizedTest
    @MethodSource("regressions")
    <T extends Id> void shouldHoldLastTickWhenOriginalGoesBack(IdType<T> type, Vectors run) {
        Generator generator = generator(run);
        Set<T> ids = new HashSet<>();
        Instant[] latest = {Instant.EPOCH};
        int[] wentBack = {0};

        run.objects("steps").forEach(step -> {
            Vectors expected = step.object("expect");
            Instant time = original(type, expected).time();
            wentBack[0] += time.isBefore(latest[0]) ? 1 : 0;
            latest[0] = time.isBefore(latest[0]) ? latest[0] : time;
            T id = draw(generator, type, step);
            assertTrue(ids.add(id), () -> id + " again");
            assertEquals(latest[0], id.time());
            if (id instanceof Uid60 uid60) {
                assertEquals(expected.integer("sequence"), uid60.sequence());
            }
        });

        assertTrue(wentBack[0] > 0, "the original went back");
    }

    @Test
    void shouldWaitForNextSecondWhenSecondOfUid60IsUsedUp() {
        Vectors run = Vectors.of("uid60")
                .objects("generator")
                .filter(each -> !each.has("steps"))
                .findFirst()
                .orElseThrow();
        Generator generator = generator(run);
        Vectors first = run.object("first");
        Vectors next = run.object("first_of_next_second");

        List<Uid60> ids = IntStream.range(0, run.integer("calls_in_first_second"))
                .mapToObj(call -> draw(generator, Uid60.TYPE, first))
                .toList();
        Draw waiting = Draw.of(generator, 1, Variant.NONE, (high, low) -> {});

        assertEquals(original(Uid60.TYPE, first), ids.get(0));
        assertEquals(original(Uid60.TYPE, run.object("last")), ids.get(ids.size() - 1));
        assertEquals(run.integer("calls_in_first_second"), new HashSet<>(ids).size());
        long untilNext = 1_000 - Math.floorMod(first.number("clock_ms"), 1_000L);
        assertEquals(new Draw(0, untilNext * 1_000_000, Taken.Until.NEXT_TICK), waiting);
        assertEquals(original(Uid60.TYPE, next), draw(generator, Uid60.TYPE, next));
    }

    private static <T extends Id> T original(IdType<T> type, Vectors expected) {
        return type.parse().apply(expected.text(expected.has("display") ? "display" : "binary"));
    }

    private Generator generator(Vectors run) {
        if (run.has("cluster")) {
            Fence fence = Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick());
            return new EightByteGenerator(run.integer("generator"), run.integer("cluster"), false, fence);
        }
        Fence fence = Fence.unbounded(clock, 0, Uid60Generator.UNIT.maxTick());
        int worker = Math.floorMod(run.integer("worker_counter"), Uid60.MAX_WORKER + 1);
        int start = (run.integer("initial_sequence") + 1) % (Uid60.MAX_SEQUENCE + 1);
        return new Uid60Generator(worker, start, () -> random, fence);
    }

    /** The original waited at every reading but the last. */
    private <T extends Id> T draw(Generator generator, IdType<T> type, Vectors step) {
        List<T> ids = new ArrayList<>();
        random = step.has("random") ? step.integer("random") : 0;
        long[] readings = step.has("clock") ? step.numbers("clock").toArray() : new long[] {step.number("clock_ms")};
        for (int i = 0; i < readings.length; i++) {
            int issued = i < readings.length - 1 ? 0 : 1;
            clock.setMicros(readings[i] * 1_000);
            Draw draw = Draw.of(
                    generator,
                    1,
                    Variant.NONE,
                    (high, low) -> ids.add(type.reader().of(high, low)));
            assertEquals(issued, draw.issued());
            assertEquals(issued == 0, draw.waitNanos() > 0);
        }
        assertEquals(1, ids.size());
        return ids.get(0);
    }
}
