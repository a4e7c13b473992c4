package org.idallocator.faults.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Requests one after the other, as stretches in which they ended alike. Thread-safe. */
public final class Phases {
    private final List<Phase> phases = new ArrayList<>();

    /**
     * Requests that ended alike.
     *
     * @param outcome how
     * @param fromNanos when the first of them was answered
     * @param sentNanos when the last of them was sent
     */
    private record Phase(Outcome outcome, long fromNanos, long sentNanos) {}

    synchronized void add(Outcome outcome, long sentNanos, long answeredNanos) {
        int last = phases.size() - 1;
        if (last >= 0 && phases.get(last).outcome().equals(outcome)) {
            phases.set(last, new Phase(outcome, phases.get(last).fromNanos(), sentNanos));
        } else {
            phases.add(new Phase(outcome, answeredNanos, sentNanos));
        }
    }

    /** When the first request that was sent at or after {@code nanos} was served; empty while none was. */
    public Optional<Long> servedAfter(long nanos) {
        return after(nanos, Outcome::ok);
    }

    /** When the first request that was sent at or after {@code nanos} was refused by a fence; empty while none was. */
    public Optional<Long> fencedAfter(long nanos) {
        return after(nanos, Outcome::fenced);
    }

    private synchronized Optional<Long> after(long nanos, Predicate<Outcome> how) {
        return phases.stream()
                .filter(phase -> how.test(phase.outcome()) && phase.sentNanos() >= nanos)
                .map(phase -> Math.max(nanos, phase.fromNanos()))
                .findFirst();
    }

    /** Whether the last request was served. */
    public synchronized boolean serving() {
        return !phases.isEmpty() && phases.get(phases.size() - 1).outcome().ok();
    }
}
