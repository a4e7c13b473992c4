package org.idallocator.faults.ids;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.jspecify.annotations.Nullable;

/**
 * The IDs that one client was given, in runs, which are so few that all of a row are kept in memory. Not thread-safe.
 */
public final class Receipt<T extends Id> implements Consumer<T> {
    private final Scheme<T> scheme;
    private final Key key;
    private final LongConsumer listener;
    private final List<Run> runs = new ArrayList<>();
    private long runHigh;
    private long runLow;
    private long runCount;
    private @Nullable T last;

    Receipt(Scheme<T> scheme, LongConsumer listener) {
        this.scheme = scheme;
        this.key = Key.of(scheme);
        this.listener = listener;
    }

    public Scheme<T> scheme() {
        return scheme;
    }

    Key key() {
        return key;
    }

    @Override
    public void accept(T id) {
        long high = key.high(id.high(), id.low());
        long low = key.low(id.high(), id.low());
        if (runCount == 0 || high != runHigh || low != runLow + runCount || low == 0) {
            flush();
            runHigh = high;
            runLow = low;
        }
        runCount++;
        last = id;
    }

    /** Ends the run at hand: an answer is over. */
    public void flush() {
        T lastOfRun = last;
        if (runCount > 0 && lastOfRun != null) {
            runs.add(new Run(runHigh, runLow, runCount));
            listener.accept(ChronoUnit.MICROS.between(Instant.EPOCH, lastOfRun.time()));
        }
        runCount = 0;
    }

    List<Run> runs() {
        flush();
        return runs;
    }
}
