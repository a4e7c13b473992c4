package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
    private final Pressure pressure = new Pressure(Uid60Generator.UNIT, clock);
    private final List<Fence> fences = new ArrayList<>();

    private Spread spread(int slots) {
        return new Spread(
                IntStream.range(0, slots).mapToObj(slot -> worker(slot, FLOOR)).toList(), pressure);
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

    @Test
    void shouldLeaveTheNewestSlotAloneWhenOthersHaveNumbers() {
        Spread spread = spread(3);
        Workers drawn = new Workers();
        assertEquals(Draw.all(2 * TICK), spread.draw(2 * TICK, Variant.NONE, drawn));
        assertEquals(Set.of(0, 1), drawn.workers());
        assertEquals(0, pressure.newestNeededNanos());
        assertEquals(Draw.all(1), spread.draw(1, Variant.NONE, drawn));
        assertEquals(Set.of(0, 1, 2), drawn.workers());
        assertEquals(3 * SECOND_NANOS / 4, pressure.newestNeededNanos(), "from now to the end of the tick");
        assertEquals(0, pressure.usedUpNanos(), "nobody had to wait");
    }

    /** A slot with so many numbers in each tick, which a test begins. */
    private static final class Numbers implements Generator {
        private final int capacity;
        private int left;
        private int singly;

        Numbers(int capacity) {
            this.capacity = capacity;
            this.left = capacity;
        }

        void nextTick() {
            left = capacity;
        }

        @Override
        public Draw draw(int count, Variant variant, IdSink sink) {
            int issued = Math.min(count, left);
            left -= issued;
            return issued == count ? Draw.all(count) : new Draw(issued, 1_000, false);
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
        Numbers oldest = new Numbers(2);
        Numbers newest = new Numbers(3);
        Spread spread = new Spread(List.of(oldest, newest), pressure);
        assertEquals(Draw.all(3), spread.draw(3, Variant.NONE, (high, low) -> {}));
        assertNotNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        assertNotNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        assertEquals(List.of(0, 2), List.of(oldest.singly, newest.singly));
        assertNull(spread.drawOne(Variant.NONE, Uid60::ofBits), "all are to be asked");
        oldest.nextTick();
        newest.nextTick();
        assertEquals(Draw.all(1), spread.draw(1, Variant.NONE, (high, low) -> {}));
        assertNotNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        assertEquals(List.of(1, 2), List.of(oldest.singly, newest.singly));
    }

    @Test
    void shouldGoOnWithOthersWhenOneIsFenced() {
        Spread spread = spread(3);
        Workers drawn = new Workers();
        spread.draw(1, Variant.NONE, drawn);
        for (int slot = 0; slot < 2; slot++) {
            fences.get(slot).trip(FenceReason.LEASE_GONE, "slot " + slot);
            assertEquals(Draw.all(3), spread.draw(3, Variant.NONE, drawn));
        }
        assertEquals(0, pressure.newestNeededNanos(), "a slot that is fenced is not used up");
        fences.get(2).trip(FenceReason.SESSION_LOST, "slot 2");
        assertNull(spread.drawOne(Variant.NONE, Uid60::ofBits));
        FencedException why =
                assertThrows(FencedException.class, () -> spread.draw(1, Variant.NONE, (high, low) -> {}));
        assertTrue(List.of(FenceReason.LEASE_GONE, FenceReason.SESSION_LOST).contains(why.reason()));
    }

    /** A slot that was given back is closed. Whoever still draws from the spread of before gets nothing of it. */
    @Test
    void shouldTakeNothingOfSlotThatWasGivenBackWhenCallerHasOldSpread() {
        Generator kept = worker(0, FLOOR);
        Generator givenBack = worker(1, FLOOR);
        Spread before = new Spread(List.of(kept, givenBack), pressure);
        Workers drawn = new Workers();
        before.draw(TICK + 7, Variant.NONE, drawn);
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

    @Test
    void shouldNotCountWaitsThatNoSlotShortens() {
        Spread cooling = new Spread(List.of(worker(0, FLOOR + 5), worker(1, FLOOR + 5)), pressure);
        Draw draw = cooling.draw(1, Variant.NONE, (high, low) -> {});
        assertEquals(0, draw.issued());
        assertTrue(draw.cooling());
        Spread behind = spread(2);
        behind.draw(1, Variant.NONE, (high, low) -> {});
        clock.setMicros(clock.micros() - 10_000_000);
        assertEquals(TICK - 1, drained(behind), "what is left of the tick that was begun");
        assertEquals(0, pressure.usedUpNanos());
    }

    private static int drained(Spread spread) {
        return spread.draw(10 * TICK, Variant.NONE, (high, low) -> {}).issued();
    }

    /** However many callers wait, a used-up tick is one tick. */
    @Test
    void shouldCountUsedUpTimeOnceWhenManyCallersMeetIt() {
        Spread spread = spread(1);
        spread.draw(TICK, Variant.NONE, (high, low) -> {});
        for (int i = 0; i < 100; i++) {
            assertEquals(0, spread.draw(1, Variant.NONE, (high, low) -> {}).issued());
            clock.advance(Duration.ofMillis(1));
        }
        assertEquals(3 * SECOND_NANOS / 4, pressure.usedUpNanos());
        assertEquals(0, pressure.newestNeededNanos(), "one slot is always needed");
    }

    @Test
    void shouldTellTheFirstDueTickAndTheLastUsed() {
        Spread spread = new Spread(List.of(worker(0, FLOOR), worker(1, FLOOR + 3)), pressure);
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
        assertThrows(IllegalArgumentException.class, () -> new Spread(List.of(), pressure));
    }
}
