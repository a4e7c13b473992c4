package org.idallocator.bench.calls;

import java.util.concurrent.TimeUnit;
import org.idallocator.core.generator.Crowd;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What a caller does to the line of those who wait, while the queue's lock is held: it serves them first and finds the
 * tick used up, or it stands in line and leaves again. It should take no longer because many stand there.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InLine {
    @Benchmark
    public long pollBeside100(Hundred standing) {
        return standing.crowd.poll();
    }

    @Benchmark
    public long pollBeside10000(TenThousand standing) {
        return standing.crowd.poll();
    }

    @Benchmark
    public long leaveBeside100(Hundred standing) {
        return standing.crowd.joinAndLeave();
    }

    @Benchmark
    public long leaveBeside10000(TenThousand standing) {
        return standing.crowd.joinAndLeave();
    }

    /** A hundred callers in line. */
    @State(Scope.Thread)
    public static class Hundred {
        private final Crowd crowd = new Crowd(100);
    }

    /** Ten thousand. */
    @State(Scope.Thread)
    public static class TenThousand {
        private final Crowd crowd = new Crowd(10_000);
    }
}
