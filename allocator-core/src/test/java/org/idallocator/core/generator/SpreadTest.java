package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Uid60;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several slots as one: what one does not have, another gives, and a caller waits when none has anything. */
final class SpreadTest {
    private static final int TICK = 1_024;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long FLOOR = 20_000;

    private final ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(FLOOR) + 250_000);
    private final Turns turns = new Turns(0, () -> 0);
    private final List<Fence> fences = new ArrayList<>();

    private Spread spread(int slots) {
        return new Spread(
                IntStream.range(0, slots).mapToObj(slot -> worker(slot, FLOOR)).toList(), turns);
    }

    private Generator worker(int slot, long floor) {
        Fence fence = new Fence(clock, floor, FLOOR + 1_000, clock.nanos() + 1_000 * SECOND_NANOS);
        fences.add(fence);
        return new Uid60Generator(slot, 17 * slot, () -> 0, fence, clock);
    }

    private static final class Workers implements IdSink {
        private final List<Uid60> ids = new ArrayList<>();

        @Override
        public void accept(long high, long low) {
            ids.add(Uid60.ofBits(high, low));
        }

        Set<Integer> workers() {
            Set<Integer> workers = new HashSet<>();
            ids.forEach(id -> workers.add(id.worker()));
            return workers;
        }
    }

    @Test
    void shouldDrawFromAllSlotsBeforeAnybodyWaits() {
        Spread spread = spread(3);
        Workers drawn = new Workers();
        Draw draw = spread.draw(4 * TICK, Variant.NONE, drawn);
        assertEquals(new Draw(3 * TICK, 3 * SECOND_NANOS / 4, false), draw);
        assertEquals(3 * TICK, new HashSet<>(drawn.ids).size(), "no ID is equal to another");
        assertEquals(Set.of(0, 1, 2), drawn.workers());
        clock.advance(Duration.ofSeconds(1));
        assertEquals(Draw.all(10), spread.draw(10, Variant.NONE, drawn));
    }

    /** A slot with so many numbers in each tick, which a test begins. */
    private static final class Numbers implements Generator {
        private final int capacity;
        private final long waitNanos;
        private final boolean cooling;
        private int left;
        private int singly;

        Numbers(int capacity) {
            this(capacity, 1_000, false);
        }

        Numbers(int capacity, long waitNanos, boolean cooling) {
            this.capacity = capacity;
            this.waitNanos = waitNanos;
            this.cooling = cooling;
            this.left = capacity;
        }

        void nextTick() {
            left = capacity;
        }

        @Override
        public Draw draw(int count, Variant variant, IdSink sink) {
            int issued = Math.min(count, left);
            left -= issued;
            return issued == count ? Draw.all(count) : new Draw(issued, waitNanos, cooling);
        }

        @Override
        public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
            if (left == 0) {
                return null;
            }
            left--;
            singly++;
            return reader.of(0, left);
        }

        @Override
        public int capacity(long tick) {
            return capacity;
        }

        @Override
        public long dueTick(long now) {
            return now;
        }

        @Override
        public long close() {
            return 0;
        }
    }

    @Test
    void shouldGoOnWhereNumbersWereFoundAndBeginAnewWithTheTick() {
        int begins = (int) (Thread.currentThread().getId() % 2);
        List<Numbers> slots = List.of(new Numbers(3), new Numbers(3));
        Numbers first = slots.get(begins);
        Numbers second = slots.get(1 - begins);
        Spread spread = new Spread(slots, turns);
        assertEquals(Draw.all(4), spread.draw(4, Variant.NONE, (high, low) -> {}));
        assertNotNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        assertNotNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        assertEquals(List.of(0, 2), List.of(first.singly, second.singly));
        assertNull(spread.drawOne(Variant.NONE, Uid60::ofBits), "all are to be asked");
        first.nextTick();
        second.nextTick();
        assertEquals(Draw.all(1), spread.draw(1, Variant.NONE, (high, low) -> {}));
        assertNotNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        assertEquals(List.of(1, 2), List.of(first.singly, second.singly));
    }

    /** Where one slot cools for long, a caller waits for the next tick of the others, whatever the order. */
    @Test
    void shouldWaitForWhatIsDueFirst() {
        Generator soon = new Numbers(0);
        Generator late = new Numbers(0, 5_000, true);

        for (List<Generator> slots : List.of(List.of(soon, late), List.of(late, soon))) {
            assertEquals(new Draw(0, 1_000, false), new Spread(slots, turns).draw(1, Variant.NONE, (high, low) -> {}));
        }
    }

    @Test
    void shouldGoOnWithOthersWhenOneIsFenced() {
        Spread spread = spread(3);
        Workers drawn = new Workers();
        spread.draw(1, Variant.NONE, drawn);
        for (int slot = 0; slot < 2; slot++) {
            fences.get(slot).trip(FenceReason.LEASE_GONE, "slot " + slot);
            assertEquals(Draw.all(3), spread.draw(3, Variant.NONE, drawn));
            spread.requireServing();
        }
        fences.get(2).trip(FenceReason.SESSION_LOST, "slot 2");
        assertNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        FencedException why =
                assertThrows(FencedException.class, () -> spread.draw(1, Variant.NONE, (high, low) -> {}));
        assertTrue(List.of(FenceReason.LEASE_GONE, FenceReason.SESSION_LOST).contains(why.reason()));
        assertEquals(
                FenceReason.LEASE_GONE,
                assertThrows(FencedException.class, spread::requireServing).reason());
    }

    /** A slot that was given back is closed. Whoever still draws from the spread of before gets nothing of it. */
    @Test
    void shouldTakeNothingOfSlotThatWasGivenBackWhenCallerHasOldSpread() {
        Generator kept = worker(0, FLOOR);
        Generator givenBack = worker(1, FLOOR);
        Spread before = new Spread(List.of(kept, givenBack), turns);
        Workers drawn = new Workers();
        kept.draw(TICK, Variant.NONE, drawn);
        before.draw(7, Variant.NONE, drawn);
        assertEquals(FLOOR, givenBack.close());
        assertNull(before.drawOne(Variant.NONE, Uid60::ofBits));
        Draw draw = before.draw(5, Variant.NONE, (high, low) -> drawn.accept(high, low));
        assertEquals(0, draw.issued(), "the slot that is kept is used up");
        assertEquals(TICK + 7, drawn.ids.size());
    }

    @Test
    void shouldNotAskOthersWhenTheSinkThrows() {
        Spread spread = spread(3);
        FencedException own = new FencedException(FenceReason.STARTING, "the sink's own", Duration.ZERO);
        int[] calls = {0};
        FencedException thrown = assertThrows(
                FencedException.class,
                () -> spread.draw(5, Variant.NONE, (high, low) -> {
                    calls[0]++;
                    throw own;
                }));
        assertSame(own, thrown);
        assertEquals(1, calls[0]);
    }

    private static int drained(Spread spread) {
        return spread.draw(10 * TICK, Variant.NONE, (high, low) -> {}).issued();
    }

    @Test
    void shouldLeaveSoManyInAllSlotsTogether() {
        Spread spread = spread(3);
        Workers drawn = new Workers();
        assertEquals(
                3 * TICK - 1_500,
                spread.draw(4 * TICK, 1_500, Variant.NONE, drawn).issued());
        assertEquals(0, spread.draw(1, 1_500, Variant.NONE, drawn).issued());
        assertEquals(1_500, spread.room());
        assertEquals(Draw.all(500), spread.draw(500, 1_000, Variant.NONE, drawn));
        assertEquals(1_000, drained(spread));
        assertEquals(0, spread.draw(1, 1, Variant.NONE, drawn).issued());
        assertThrows(IllegalArgumentException.class, () -> spread.draw(1, -1, Variant.NONE, drawn));
    }

    /** What a slot cannot give, it does not leave either. */
    @Test
    void shouldLeaveNothingInSlotsThatGiveNothing() {
        Spread spread = new Spread(List.of(worker(0, FLOOR), worker(1, FLOOR + 5), worker(2, FLOOR)), turns);
        fences.get(2).trip(FenceReason.LEASE_GONE, "slot 2");
        assertEquals(
                TICK - 600, spread.draw(TICK, 600, Variant.NONE, new Workers()).issued());
        assertEquals(600, drained(spread));
    }

    /** A slot that has nothing. Whenever it has said so, the tick ends. */
    private record EndingTheTick(ScriptedClock clock) implements Generator {
        @Override
        public int room() {
            clock.advance(Duration.ofSeconds(1));
            return 0;
        }

        @Override
        public Draw draw(int count, Variant variant, IdSink sink) {
            return new Draw(0, SECOND_NANOS, false);
        }

        @Override
        public long dueTick(long now) {
            return now;
        }

        @Override
        public long close() {
            return 0;
        }
    }

    /** Then a slot has more than all of them had together. */
    @Test
    void shouldLeaveNoMoreThanToldWhenTheTickEndsMeanwhile() {
        Generator worker = worker(0, FLOOR);
        worker.draw(TICK - 10, Variant.NONE, (high, low) -> {});
        Spread spread = new Spread(List.of(worker, new EndingTheTick(clock)), turns);

        assertEquals(
                TICK - 100, spread.draw(TICK, 100, Variant.NONE, new Workers()).issued());
    }

    @Test
    void shouldTellWhatTicksHoldTogether() {
        Generator closed = worker(3, FLOOR);
        Spread spread = new Spread(
                List.of(worker(0, FLOOR), worker(1, FLOOR), worker(2, FLOOR + 5), closed, new Numbers(7)), turns);
        closed.close();
        assertEquals(2 * TICK, spread.capacity(FLOOR));
        assertEquals(3 * TICK, spread.capacity(FLOOR + 5));
        fences.get(1).trip(FenceReason.LEASE_GONE, "slot 0"); // the first fence is of the closed one
        assertEquals(TICK, spread.capacity(FLOOR));
        assertSame(turns, spread.turns());
    }

    private IdGenerator<Uid60> ids(Generator generator) {
        return new IdGenerator<>(() -> generator, Uid60::ofBits, Uid60Generator.UNIT, Duration.ofSeconds(2), clock);
    }

    /** For threads that may not wait: any slot will do, and none of them has the caller wait. */
    @Test
    void shouldPollWhateverSlotHasANumber() {
        Spread spread = spread(3);
        IdGenerator<Uid60> ids = ids(spread);
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
        assertSame(own, assertThrows(FencedException.class, () -> ids(spread(3)).poll(throwing)));
        assertEquals(1, calls[0]);
    }

    @Test
    void shouldTellTheFirstDueTickAndTheLastUsed() {
        Spread spread = new Spread(List.of(worker(0, FLOOR), worker(1, FLOOR + 3)), turns);
        assertEquals(FLOOR, spread.dueTick(FLOOR));
        spread.draw(TICK, Variant.NONE, (high, low) -> {});
        assertEquals(FLOOR + 1, spread.dueTick(FLOOR));
        assertEquals(FLOOR + 2, spread.close());
        assertThrows(FencedException.class, () -> spread.draw(1, Variant.NONE, (high, low) -> {}));
    }

    @Test
    void shouldRefuseWhatCannotBeDrawn() {
        Spread spread = spread(2);
        assertThrows(IllegalArgumentException.class, () -> spread.draw(0, Variant.NONE, (high, low) -> {}));
        assertThrows(IllegalArgumentException.class, () -> spread.draw(1, SnoGenerator.metabyte(3), (high, low) -> {}));
        assertThrows(IllegalArgumentException.class, () -> new Spread(List.of(), turns));
    }
}
