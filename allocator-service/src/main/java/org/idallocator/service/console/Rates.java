package org.idallocator.service.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.idallocator.core.clock.Clock;

/**
 * How many IDs a second were drawn of each scheme in the last minutes. Whoever has one calls {@link #run} every {@link #EVERY}.
 * Thread-safe.
 */
public final class Rates implements Runnable {
    /** How often somebody looks at the counters. */
    public static final Duration EVERY = Duration.ofSeconds(2);

    private static final int MOST = 150;
    private static final double SECOND_NANOS = 1_000_000_000;

    private final List<String> schemes;
    private final ToLongFunction<String> issued;
    private final Clock clock;
    private final Map<String, Long> before = new HashMap<>();
    private final Map<String, Deque<Double>> perSecond = new HashMap<>();
    private long atNanos;

    /** {@code issued} says how many IDs of a scheme were drawn so far. */
    public Rates(List<String> schemes, ToLongFunction<String> issued, Clock clock) {
        this.schemes = schemes;
        this.issued = issued;
        this.clock = clock;
        this.atNanos = clock.nanos();
        for (String scheme : schemes) {
            before.put(scheme, issued.applyAsLong(scheme));
            perSecond.put(scheme, new ArrayDeque<>());
        }
    }

    /** Looks at the counters. */
    @Override
    public synchronized void run() {
        long now = clock.nanos();
        double seconds = (now - atNanos) / SECOND_NANOS;
        if (seconds > 0) {
            schemes.forEach(scheme -> add(scheme, seconds));
            atNanos = now;
        }
    }

    private void add(String scheme, double seconds) {
        long count = issued.applyAsLong(scheme);
        Long last = before.put(scheme, count);
        Deque<Double> rates = perSecond.computeIfAbsent(scheme, name -> new ArrayDeque<>());
        rates.addLast(Math.rint((count - (last == null ? 0 : last)) / seconds * 10) / 10);
        if (rates.size() > MOST) {
            rates.removeFirst();
        }
    }

    /** The rates of a scheme, the latest last, each for the time since the one before. */
    synchronized List<Double> of(String scheme) {
        return List.copyOf(perSecond.getOrDefault(scheme, new ArrayDeque<>()));
    }
}
