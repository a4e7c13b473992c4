package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.testing.DuplicateChecker;

/**
 * All IDs of one scheme that clients were given: whether two are equal, and who used which slot when. The IDs
 * themselves tell slot and tick, so two replicas that held a slot at once would show as ranges of ticks that overlap.
 * Thread-safe.
 */
final class Evidence<T extends Id> {
    private final Scheme<T> scheme;
    private final DuplicateChecker checker = new DuplicateChecker();
    private final Map<Long, List<Use>> usesBySlot = new TreeMap<>();

    private Evidence(Scheme<T> scheme) {
        this.scheme = scheme;
    }

    static <T extends Id> Evidence<T> of(Scheme<T> scheme) {
        return new Evidence<>(scheme);
    }

    /** The first and the last tick that one answer of a replica used, both inclusive. */
    private record Use(String replica, long firstTick, long lastTick) {
        Use with(Use other) {
            return new Use(replica, Math.min(firstTick, other.firstTick), Math.max(lastTick, other.lastTick));
        }
    }

    Scheme<T> scheme() {
        return scheme;
    }

    DuplicateChecker checker() {
        return checker;
    }

    /** Adds one answer, an ID a line; throws when it is not all that was asked for. */
    void add(String replica, String text, int count) {
        if (text.lines().count() != count) {
            throw new AssertionError(replica + " gave " + text.lines().count() + " IDs instead of " + count);
        }
        Map<Long, Use> uses = new HashMap<>();
        text.lines().map(scheme.type().parse()).forEach(id -> {
            checker.accept(id.high(), id.low());
            OptionalLong slot = scheme.slotOf(id);
            if (slot.isPresent()) {
                long tick = tick(id);
                uses.merge(slot.getAsLong(), new Use(replica, tick, tick), Use::with);
            }
        });
        keep(uses);
    }

    private long tick(T id) {
        SlotPool pool = scheme.pool().orElseThrow();
        return pool.unit().tickAt(ChronoUnit.MICROS.between(Instant.EPOCH, id.time()));
    }

    private synchronized void keep(Map<Long, Use> uses) {
        uses.forEach((slot, use) ->
                usesBySlot.computeIfAbsent(slot, s -> new ArrayList<>()).add(use));
    }

    /** No two IDs are equal, and no slot was used by two replicas at once. */
    synchronized void requireDistinct() {
        checker.requireNone();
        usesBySlot.forEach((slot, uses) -> requireOneAtATime(slot, List.copyOf(uses)));
    }

    /** In the order of their first ticks, no use may begin before those of other replicas have ended. */
    private void requireOneAtATime(long slot, List<Use> uses) {
        Map<String, Long> lastTicks = new HashMap<>();
        uses.stream().sorted(Comparator.comparingLong(Use::firstTick)).forEach(use -> {
            lastTicks.forEach((replica, last) -> assertTrue(
                    replica.equals(use.replica()) || last < use.firstTick(),
                    () -> scheme.name() + " slot " + slot + " was used by " + replica + " until " + last + " and: "
                            + use));
            lastTicks.merge(use.replica(), use.lastTick(), Math::max);
        });
    }
}
