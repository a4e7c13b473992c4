package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.testing.Proof;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who gets how many, where nothing waits and no time passes. */
final class LineTest {
    private static final int CAPACITY = 64;

    /** Somebody in line, and what it was given. */
    private static final class Customer extends Line.Place {
        private final boolean single;
        private final int wanted;
        private @Nullable Taken given;

        private Customer(boolean single, int wanted) {
            super(single, wanted);
            this.single = single;
            this.wanted = wanted;
        }

        @Override
        void receive(Taken part) {
            assertNull(given, "a place is given numbers once");
            given = part;
        }

        private int first() {
            return Objects.requireNonNull(given).first();
        }

        private int count() {
            return given == null ? 0 : given.count();
        }
    }

    /** The numbers of a tick, some of which may have gone to others. */
    private static final class Tick implements Line.Taker {
        private int used;
        private int most = Integer.MAX_VALUE; // that one step takes
        private int stepsUntilFenced = Integer.MAX_VALUE;

        @Override
        public Taken take(int wanted, boolean keep) {
            assertTrue(wanted > 0, () -> wanted + " wanted");
            if (stepsUntilFenced-- == 0) {
                throw FencedException.of(FenceReason.RELEASED, "amid the line", Duration.ZERO);
            }
            int left = CAPACITY - used - (keep ? CAPACITY / Line.SHARES : 0);
            int count = Math.max(0, Math.min(Math.min(wanted, most), left));
            used += count;
            return new Taken(null, 7, 7, 0, used - count, count, 1_000 + used, Taken.Until.NEXT_TICK);
        }
    }

    private final Line line = new Line();
    private final Tick tick = new Tick();

    private Customer join(boolean single, int wanted) {
        Customer customer = new Customer(single, wanted);
        line.join(customer);
        return customer;
    }

    private List<Customer> join(int customers, boolean single, int wanted) {
        return IntStream.range(0, customers).mapToObj(i -> join(single, wanted)).toList();
    }

    private static List<Integer> counts(List<Customer> customers) {
        return customers.stream().map(Customer::count).toList();
    }

    private static int sum(List<Customer> customers) {
        return customers.stream().mapToInt(Customer::count).sum();
    }

    @Test
    void shouldGiveSinglesSixEighthsAndThenWhatBatchesLeave() {
        List<Customer> singles = join(70, true, 1);
        Customer batch = join(false, 2);

        line.serve(tick, CAPACITY, true);

        assertEquals(2, batch.count());
        assertEquals(CAPACITY - 2, sum(singles));
        assertTrue(singles.subList(0, CAPACITY - 2).stream().allMatch(single -> single.count() == 1), "in their order");
        assertEquals(47, singles.get(47).first());
        assertEquals(48, batch.first());
        assertEquals(50, singles.get(48).first());
    }

    @Test
    void shouldGiveBatchesEvenPartsAndKeepAnEighth() {
        List<Customer> batches = List.of(join(false, 100), join(false, 3), join(false, 100), join(false, 7));

        line.serve(tick, CAPACITY, true);

        assertEquals(List.of(23, 3, 23, 7), counts(batches));
        assertTrue(line.isEmpty(false), "whoever gets a part stands in line no more");
    }

    @Test
    void shouldGiveBatchesAllWhereNothingIsKept() {
        List<Customer> batches = join(3, false, 100);

        line.serve(tick, CAPACITY, false);

        assertEquals(List.of(21, 21, 22), counts(batches));
    }

    /**
     * Were it still counted, more would be taken than anybody wants; were it still in line, its part would be nobody's.
     */
    @Test
    void shouldTakeAndGiveNothingForWhoHasLeft() {
        for (boolean single : new boolean[] {true, false}) {
            for (int leaves = 0; leaves < 3; leaves++) {
                tick.used = 0;
                List<Customer> customers = join(3, single, single ? 1 : 5);
                line.leave(customers.get(leaves));
                line.leave(customers.get(leaves)); // as a caller does that was refused, and is over then

                line.serve(tick, CAPACITY, false);

                assertEquals(0, customers.get(leaves).count());
                assertEquals(single ? 2 : 10, tick.used, "the " + leaves + ". has left");
                assertEquals(tick.used, sum(customers));
                assertTrue(line.isEmpty(single));
            }
        }
    }

    @Test
    void shouldNotLeaveWhereItNeverStood() {
        Customer stands = join(false, 5);
        line.leave(new Customer(false, 3));
        line.serve(tick, CAPACITY, false);
        line.leave(stands);
        Customer next = join(false, 6);

        line.serve(tick, CAPACITY, false);

        assertEquals(5 + 6, tick.used);
        assertEquals(6, next.count());
        assertThrows(IllegalStateException.class, () -> line.ticksUntil(next, CAPACITY, false));
    }

    @Test
    void shouldJoinAgainOnlyAfterItHasLeft() {
        Customer first = join(false, 5);
        Customer other = join(false, 5);
        assertThrows(IllegalStateException.class, () -> line.join(first));
        line.leave(first);
        line.join(first);
        line.leave(other);
        line.leave(first);
        line.join(first);

        assertEquals(0, line.ticksUntil(first, CAPACITY, false));
        line.serve(tick, CAPACITY, false);
        assertEquals(List.of(5, 5), List.of(first.count(), tick.used));
    }

    /** Who was served keeps it; the others stand in line, and nothing is counted twice. */
    @Test
    void shouldGoOnWhereItWasWhenTheTenureEndsAmidTheLine() {
        List<Customer> singles = join(50, true, 1);
        List<Customer> batches = join(10, false, 6);
        tick.stepsUntilFenced = 1;
        assertThrows(FencedException.class, () -> line.serve(tick, CAPACITY, false));
        assertEquals(48, sum(singles));
        assertEquals(0, sum(batches));
        assertEquals(0, line.ticksUntil(singles.get(49), CAPACITY, false));
        assertEquals(1, line.ticksUntil(batches.get(9), CAPACITY, true), "nine are ahead");

        Tick next = new Tick();
        line.serve(next, CAPACITY, false);

        assertEquals(50, sum(singles));
        assertEquals(60, sum(batches));
        assertEquals(2 + 60, next.used);
        assertTrue(line.isEmpty(true) && line.isEmpty(false));
    }

    /** It takes no more than it may share: two parts of several ticks would begin with the same ID. */
    @Test
    void shouldKeepThoseInLineWhenWhatWasTakenCannotBeShared() {
        Customer batch = join(false, 5);
        Line.Taker spans = (wanted, keep) -> new Taken(null, 7, 9, 0, 0, 3, 0, Taken.Until.NEXT_TICK);

        assertThrows(IllegalStateException.class, () -> line.serve(spans, CAPACITY, false));

        line.serve(tick, CAPACITY, false);
        assertEquals(5, batch.count());
    }

    @Test
    void shouldSayHowManyTicksThoseAheadTake() {
        List<Customer> singles = join(3 * CAPACITY, true, 1);
        assertEquals(0, line.ticksUntil(singles.get(CAPACITY - 1), CAPACITY, true));
        assertEquals(1, line.ticksUntil(singles.get(CAPACITY), CAPACITY, true));

        List<Customer> batches = join(17, false, 1_000);
        assertEquals(1, line.ticksUntil(singles.get(CAPACITY - 1), CAPACITY, true), "an eighth is for batches now");
        assertEquals(2, line.ticksUntil(batches.get(16), CAPACITY, true), "a tick serves eight at least");
    }

    /** It would wait for nobody: a caller is refused whose line is too long. */
    @Test
    void shouldCountNobodyWhoHasLeftWhenSomebodyJoins() {
        Customer first = join(false, 100);
        List<Customer> leave = join(1_000, false, 100);
        Customer stays = join(false, 100);
        leave.forEach(line::leave);

        assertEquals(0, line.ticksUntil(stays, CAPACITY, false));
        assertEquals(0, line.ticksUntil(join(false, 1), CAPACITY, false), "two are ahead");
        line.leave(first);
        assertEquals(0, line.ticksUntil(stays, CAPACITY, false));
    }

    /** As callers do that find the line too long; those who stand there would be refused for them. */
    @Test
    void shouldCountNobodyWhoHasJoinedAndLeftAtTheEnd() {
        join(false, 100);
        IntStream.range(0, 1_000).forEach(i -> line.leave(join(false, 100)));
        Customer stays = join(false, 100);
        join(100, false, 100);

        assertEquals(0, line.ticksUntil(stays, CAPACITY, false));
    }

    // --- Against lists that are counted through whenever somebody asks.

    /** The same line, told by lists and sums. */
    private static final class Reference {
        private final List<Customer> singles = new ArrayList<>();
        private final List<Customer> batches = new ArrayList<>();
        private final Map<Customer, List<Integer>> given = new LinkedHashMap<>();
        private long waitNanos = -1;

        private List<Customer> row(Customer customer) {
            return customer.single ? singles : batches;
        }

        private List<Customer> ahead(Customer customer) {
            return row(customer).stream().takeWhile(other -> other != customer).toList();
        }

        private static long wanted(List<Customer> customers) {
            return customers.stream().mapToLong(customer -> customer.wanted).sum();
        }

        private long ticks(boolean single, long calls, long numbers, int holds, boolean keep) {
            int part = holds / Line.SHARES;
            int share = single ? batches.isEmpty() ? holds : holds - part : keep ? part : holds;
            return Math.min(calls / part, numbers / share);
        }

        private void serve(Tick from, int holds, boolean keep) {
            int all = holds == 0 ? Integer.MAX_VALUE : holds;
            if (batches.isEmpty()) {
                give(singles, from, all, false);
            } else if (give(singles, from, all - 2 * (all / Line.SHARES), false)) {
                give(batches, from, all, keep);
                give(singles, from, all, false);
            }
        }

        private boolean give(List<Customer> row, Tick from, int most, boolean keep) {
            int left = most;
            while (left > 0 && !row.isEmpty()) {
                Taken taken = from.take((int) Math.min(wanted(row), left), keep);
                waitNanos = taken.waitNanos();
                if (taken.count() == 0) {
                    return false;
                }
                left -= taken.count();
                share(row, taken);
            }
            return true;
        }

        private void share(List<Customer> row, Taken taken) {
            List<Customer> served = new ArrayList<>(row.subList(0, Math.min(row.size(), taken.count())));
            row.removeAll(served);
            served.sort(Comparator.comparingInt(customer -> customer.wanted));
            int number = taken.first();
            while (!served.isEmpty()) {
                Customer least = served.remove(0);
                int left = taken.first() + taken.count() - number;
                int count = Math.min(least.wanted, left / (served.size() + 1));
                given.put(least, List.of(number, count));
                number += count;
            }
        }
    }

    /** A line and its reference, to which the same happens. */
    private static final class Twins {
        private final Random random;
        private final Line line = new Line();
        private final Reference reference = new Reference();
        private final List<Customer> joined = new ArrayList<>();
        private Tick tick = new Tick();
        private Tick same = new Tick();
        private int served;
        private int bounded; // for how many the line told no less than it is, and not exactly that

        private Twins(Random random) {
            this.random = random;
        }

        private void step() {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> join(random.nextBoolean());
                case 3, 4 -> leave();
                case 5 -> nextTick();
                default -> serve();
            }
            reference.singles.forEach(this::compareTicks);
            reference.batches.forEach(this::compareTicks);
            assertEquals(reference.singles.isEmpty(), line.isEmpty(true));
            assertEquals(reference.batches.isEmpty(), line.isEmpty(false));
        }

        private void join(boolean single) {
            for (int i = random.nextInt(20); i > 0; i--) {
                Customer customer = new Customer(single, single ? 1 : 1 + random.nextInt(1 << random.nextInt(12)));
                line.join(customer);
                reference.row(customer).add(customer);
                joined.add(customer);
                List<Customer> ahead = reference.ahead(customer);
                assertEquals(
                        reference.ticks(single, ahead.size(), Reference.wanted(ahead), CAPACITY, false),
                        line.ticksUntil(customer, CAPACITY, false));
            }
        }

        /** Anybody may leave: who stands in line, and who was served or has left before. */
        private void leave() {
            if (joined.isEmpty()) {
                return;
            }
            Customer leaver = joined.get(random.nextInt(joined.size()));
            line.leave(leaver);
            reference.row(leaver).remove(leaver);
        }

        private void nextTick() {
            tick = new Tick();
            tick.used = random.nextInt(4) == 0 ? random.nextInt(CAPACITY) : 0; // strangers were faster
            tick.most = random.nextInt(3) == 0 ? 1 + random.nextInt(CAPACITY) : Integer.MAX_VALUE;
            tick.stepsUntilFenced = random.nextInt(4) == 0 ? random.nextInt(3) : Integer.MAX_VALUE;
            same = new Tick();
            same.used = tick.used;
            same.most = tick.most;
            same.stepsUntilFenced = tick.stepsUntilFenced;
        }

        private void serve() {
            int holds = random.nextInt(6) == 0 ? 0 : CAPACITY;
            boolean keep = random.nextBoolean();
            boolean somebody = !reference.singles.isEmpty() || !reference.batches.isEmpty();
            Taken last = null;
            boolean fenced = false;
            try {
                last = line.serve(tick, holds, keep);
            } catch (FencedException e) {
                fenced = true;
            }
            boolean sameFenced = false;
            try {
                reference.serve(same, holds, keep);
            } catch (FencedException e) {
                sameFenced = true;
            }
            assertEquals(sameFenced, fenced);
            assertEquals(same.used, tick.used);
            if (last != null && somebody) {
                assertEquals(reference.waitNanos, last.waitNanos());
            }
            Map<Customer, List<Integer>> given = new LinkedHashMap<>();
            for (Customer customer : joined) {
                if (customer.given != null) {
                    given.put(customer, List.of(customer.given.first(), customer.given.count()));
                }
            }
            assertEquals(reference.given, given);
            served = given.size();
        }

        /**
         * Exact where nobody who came in between has left; else no less, and no more than all others in the row take.
         */
        private void compareTicks(Customer customer) {
            boolean keep = random.nextBoolean();
            List<Customer> ahead = reference.ahead(customer);
            List<Customer> row = reference.row(customer);
            long exact = reference.ticks(customer.single, ahead.size(), Reference.wanted(ahead), CAPACITY, keep);
            long told = line.ticksUntil(customer, CAPACITY, keep);
            long numbers = Reference.wanted(row) - customer.wanted;
            long most = reference.ticks(customer.single, row.size() - 1, numbers, CAPACITY, keep);
            if (cameBetween(row.get(0), customer) == ahead.size()) {
                assertEquals(exact, told);
            }
            assertTrue(exact <= told && told <= most, () -> told + " ticks, of " + exact + " to " + most);
            bounded += exact < told ? 1 : 0;
        }

        /** How many have joined from the first on, before the other. */
        private long cameBetween(Customer first, Customer other) {
            return joined.subList(joined.indexOf(first), joined.indexOf(other)).stream()
                    .filter(customer -> customer.single == first.single)
                    .count();
        }
    }

    @Test
    void shouldDoWhatListsAndSumsDo() {
        int seeds = Proof.size(25, 1_000);
        int served = 0;
        int bounded = 0;
        for (int seed = 0; seed < seeds; seed++) {
            Twins twins = new Twins(new Random(seed));
            for (int step = 0; step < 100; step++) {
                twins.step();
            }
            served += twins.served;
            bounded += twins.bounded;
        }
        assertTrue(served > 100 * seeds, served + " were served");
        assertTrue(bounded > seeds, bounded + " times the line told a bound");
    }
}
