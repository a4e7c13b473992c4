package org.idallocator.dropwizard.logging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;

/**
 * Keeps the log short of what strangers can cause as often as they like. The first of a kind is to be logged. Those
 * that follow are counted, and once a minute their number is told, until a minute had none. Thread-safe; never waits.
 *
 * @param <K> what tells kinds apart, by {@code equals}
 */
public final class Repetitions<K> {
    /** The largest number of kinds at a time; beyond it, several kinds are counted together. */
    public static final int MAX_KINDS = 100;

    private final Consumer<Runnable> inAMinute;
    private final ObjIntConsumer<K> tell;

    /**
     * How many of each kind came since the log's last line of that kind. A kind that has not come for a minute is
     * absent.
     */
    private final Map<K, Integer> repeated = new ConcurrentHashMap<>();

    /**
     * Counts for one log.
     *
     * @param inAMinute runs a task a minute later
     * @param tell logs how many more of a kind came in the last minute
     */
    public Repetitions(Consumer<Runnable> inAMinute, ObjIntConsumer<K> tell) {
        this.inAMinute = inAMinute;
        this.tell = tell;
    }

    /**
     * Whether this is the first of its kind, and so to be logged; one that is not is counted.
     *
     * @param kind its kind
     * @param beyondMost its kind where there are {@link #MAX_KINDS} others
     */
    public boolean isFirst(K kind, K beyondMost) {
        K counted = repeated.size() >= MAX_KINDS && !repeated.containsKey(kind) ? beyondMost : kind;
        boolean first = repeated.merge(counted, 0, (before, none) -> before + 1) == 0;
        if (first) {
            inAMinute.accept(() -> tell(counted));
        }
        return first;
    }

    private void tell(K kind) {
        Integer more = repeated.replace(kind, 0);
        if (more != null && more > 0) {
            tell.accept(kind, more);
        } else if (repeated.remove(kind, 0)) {
            return; // the next one is a first one again
        }
        inAMinute.accept(() -> tell(kind));
    }
}
