package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.junit.jupiter.api.Test;

/** Several slots as one: what one does not have, another gives, and a caller waits when none has anything. */
final class LoadBalancerTest {
    private static final int TICK = 1_024;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long FLOOR = 20_000;

    private final ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(FLOOR) + 250_000);
    private final List<Fence> fences = new ArrayList<>();

    private LoadBalancer balancer(int slots) {
        return new LoadBalancer(
                IntStream.range(0, slots).mapToObj(slot -> worker(slot, FLOOR)).toList());
    }

    private static Draw draw(Generator balancer, int count, IdSink sink) {
        return Draw.many(balancer, count, Variant.NONE, sink);
    }

    private Generator worker(int slot, long floor) {
        Fence fence = new Fence(clock, floor, FLOOR + 1_000, clock.nanos() + 1_000 * SECOND_NANOS);
        fences.add(fence);
        return new Uid60Generator(slot, 17 * slot, () -> 0, fence);
    }

    private static final class Workers implements IdSink {
        private final List<Uid60> ids = new ArrayList<>();

        @Override
        public void accept(long high, long low) {
            ids.add(new Uid60(high, low));
        }

        Set<Integer> workers() {
            Set<Integer> workers = new HashSet<>();
            ids.forEach(id -> workers.add(id.worker()));
            return workers;
        }
    }

    @Test
    void shouldDrawFromAllSlotsBeforeAnybodyWaits() {
        LoadBalancer balancer = balancer(3);
        Workers drawn = new Workers();
        Draw draw = draw(balancer, 4 * TICK, drawn);
        assertEquals(new Draw(3 * TICK, 3 * SECOND_NANOS / 4, Taken.Until.NEXT_TICK), draw);
        assertEquals(3 * TICK, new HashSet<>(drawn.ids).size(), "no ID is equal to another");
        assertEquals(Set.of(0, 1, 2), drawn.workers());
        clock.advance(Duration.ofSeconds(1));
        assertEquals(Draw.all(10), draw(balancer, 10, drawn));
    }

    @Test
    void shouldGoOnWhereNumbersWereFoundAndBeginAnewWithTheTick() {
        LoadBalancer balancer = balancer(2);
        Workers drawn = new Workers();
        draw(balancer, TICK + 1, drawn);
        int first = drawn.ids.get(0).worker();
        assertEquals(1 - first, one(balancer).worker());
        draw(balancer, TICK - 2, drawn);
        assertNull(balancer.drawOne(Variant.NONE, Uid60::new), "all are used up");
        clock.advance(Duration.ofSeconds(1));
        draw(balancer, 1, drawn);
        assertEquals(first, one(balancer).worker());
    }

    private static Uid60 one(Generator balancer) {
        return Objects.requireNonNull(balancer.drawOne(Variant.NONE, Uid60::new));
    }

    /** Where one slot cools for long, a caller waits for the next tick of the others, whatever the order. */
    @Test
    void shouldWaitForWhatIsDueFirst() {
        Generator soon = worker(0, FLOOR);
        Generator late = worker(1, FLOOR + 5);
        draw(soon, TICK, new Workers());

        for (List<Generator> slots : List.of(List.of(soon, late), List.of(late, soon))) {
            Draw draw = draw(new LoadBalancer(slots), 1, new Workers());
            assertEquals(new Draw(0, 3 * SECOND_NANOS / 4, Taken.Until.NEXT_TICK), draw);
        }
    }

    @Test
    void shouldGoOnWithOthersWhenOneIsFenced() {
        LoadBalancer balancer = balancer(3);
        Workers drawn = new Workers();
        draw(balancer, 1, drawn);
        for (int slot = 0; slot < 2; slot++) {
            fences.get(slot).trip(FenceReason.LEASE_GONE, "slot " + slot);
            assertEquals(Draw.all(3), draw(balancer, 3, drawn));
        }
        fences.get(2).trip(FenceReason.SESSION_LOST, "slot 2");
        assertNull(balancer.drawOne(Variant.NONE, Uid60::new));
        FencedException why = assertThrows(FencedException.class, () -> draw(balancer, 1, (high, low) -> {}));
        assertTrue(List.of(FenceReason.LEASE_GONE, FenceReason.SESSION_LOST).contains(why.reason()));
    }

    /** A slot that was given back is closed. Whoever still draws from the balancer of before gets nothing of it. */
    @Test
    void shouldTakeNothingOfSlotThatWasGivenBackWhenCallerHasOldBalancer() {
        Generator kept = worker(0, FLOOR);
        Generator givenBack = worker(1, FLOOR);
        LoadBalancer before = new LoadBalancer(List.of(kept, givenBack));
        Workers drawn = new Workers();
        draw(kept, TICK, drawn);
        draw(before, 7, drawn);
        assertEquals(FLOOR, givenBack.close());
        assertNull(before.drawOne(Variant.NONE, Uid60::new));
        Draw draw = draw(before, 5, drawn);
        assertEquals(0, draw.issued(), "the slot that is kept is used up");
        assertEquals(TICK + 7, drawn.ids.size());
    }

    @Test
    void shouldKeepAnEighthOfEachSlotForOthers() {
        LoadBalancer balancer = balancer(3);
        Workers drawn = new Workers();
        for (int slot = 0; slot < 3; slot++) {
            assertEquals(TICK * 7 / 8, balancer.take(4 * TICK, true).emit(4 * TICK, Variant.NONE, drawn));
        }
        assertEquals(0, balancer.take(1, true).count());
        assertEquals(3 * TICK / 8, draw(balancer, 4 * TICK, drawn).issued());
        assertEquals(3 * TICK, new HashSet<>(drawn.ids).size(), "no ID is equal to another");
    }

    @Test
    void shouldTellWhatTicksHoldTogether() {
        Generator closed = worker(3, FLOOR);
        Fence always = Fence.unbounded(clock, 0, SnoGenerator.UNIT.maxTick());
        Generator ofTooFew = new SnoGenerator(SnoPartition.of(1), new SnoRange(0, Line.SHARES - 2), always);
        LoadBalancer balancer =
                new LoadBalancer(List.of(worker(0, FLOOR), worker(1, FLOOR), worker(2, FLOOR + 5), closed, ofTooFew));
        closed.close();
        assertEquals(2 * TICK, balancer.capacity(FLOOR));
        assertEquals(3 * TICK, balancer.capacity(FLOOR + 5));
        fences.get(1).trip(FenceReason.LEASE_GONE, "slot 0"); // the first fence is of the closed one
        assertEquals(TICK, balancer.capacity(FLOOR));
    }

    private IdGenerator<Uid60> ids(Generator generator) {
        return new IdGenerator<>(() -> generator, Uid60::new, Uid60Generator.UNIT, Duration.ofSeconds(2), clock);
    }

    /** For threads that may not wait: any slot will do, and none of them has the caller wait. */
    @Test
    void shouldPollWhateverSlotHasANumber() {
        LoadBalancer balancer = balancer(3);
        IdGenerator<Uid60> ids = ids(balancer);
        Workers drawn = new Workers();
        fences.get(0).trip(FenceReason.LEASE_GONE, "slot 0");
        for (int i = 0; i < 2 * TICK; i++) {
            assertTrue(ids.poll(drawn));
        }
        assertEquals(2 * TICK, new HashSet<>(drawn.ids).size(), "no ID is equal to another");
        assertFalse(ids.poll(drawn));
        assertEquals(0, clock.nanos(), "nobody waited");
        fences.forEach(fence -> fence.trip(FenceReason.SESSION_LOST, "all"));
        assertFalse(ids.poll(drawn));
        assertEquals(2 * TICK, drawn.ids.size());
    }

    @Test
    void shouldLetOutWhatTheSinkOfAPollThrowsAndAskNoOtherSlot() {
        FencedException own = new FencedException(FenceReason.STARTING, "the sink's own", Duration.ZERO);
        int[] calls = {0};
        IdSink throwing = (high, low) -> {
            calls[0]++;
            throw own;
        };
        assertSame(
                own, assertThrows(FencedException.class, () -> ids(balancer(3)).poll(throwing)));
        assertEquals(1, calls[0]);
    }

    @Test
    void shouldTellTheFirstDueTickAndTheLastUsed() {
        LoadBalancer balancer = new LoadBalancer(List.of(worker(0, FLOOR), worker(1, FLOOR + 3)));
        assertEquals(FLOOR, balancer.dueTick(FLOOR));
        assertFalse(balancer.hasIssued());
        draw(balancer, TICK, (high, low) -> {});
        assertTrue(balancer.hasIssued());
        assertEquals(FLOOR + 1, balancer.dueTick(FLOOR));
        assertEquals(FLOOR + 2, balancer.close());
        assertThrows(FencedException.class, () -> draw(balancer, 1, (high, low) -> {}));
    }

    @Test
    void shouldRefuseWhatCannotBeDrawn() {
        LoadBalancer balancer = balancer(2);
        assertThrows(IllegalArgumentException.class, () -> balancer.numbers(0, Variant.NONE));
        assertThrows(IllegalArgumentException.class, () -> balancer.numbers(1, SnoGenerator.metabyte(3)));
        assertThrows(IllegalArgumentException.class, () -> balancer.take(0, false));
        assertThrows(IllegalArgumentException.class, () -> new LoadBalancer(List.of()));
    }
}
