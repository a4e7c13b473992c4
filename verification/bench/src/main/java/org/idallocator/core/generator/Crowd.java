package org.idallocator.core.generator;

import java.util.stream.IntStream;

/**
 * Callers who stand in line at a used-up tick, singles and batches in turn, for a benchmark: the line is not public.
 * They stand there without threads, so that a benchmark measures the line and not what so many threads cost. Not
 * thread-safe.
 */
public final class Crowd {
    private static final int HOLDS = 1_024;
    private static final int WANTED = 100;
    private static final Taken NOTHING = Taken.none(1_000_000, Taken.Until.NEXT_TICK);

    private final Line line = new Line();
    private final Standing mine = new Standing(true);
    private final Line.Taker usedUp = (wanted, keep) -> NOTHING;

    public Crowd(int callers) {
        IntStream.range(0, callers).forEach(i -> line.join(new Standing(i % 2 == 0)));
    }

    /** Serves the line first, as whoever polls does, and finds nothing. Returns the wait that the generator told. */
    public long poll() {
        return line.serve(usedUp, HOLDS, true).waitNanos();
    }

    /** Stands in line at its end, learns how many ticks those ahead take, which is returned, and leaves. */
    public long joinAndLeave() {
        line.join(mine);
        long ticks = line.ticksUntil(mine, HOLDS, true);
        line.leave(mine);
        return ticks;
    }

    private static final class Standing extends Line.Place {
        private Standing(boolean single) {
            super(single, single ? 1 : WANTED);
        }

        @Override
        void receive(Taken part) {
            throw new IllegalStateException("the tick has nothing to give");
        }
    }
}
