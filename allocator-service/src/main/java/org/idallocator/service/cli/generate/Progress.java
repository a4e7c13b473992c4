package org.idallocator.service.cli.generate;

import java.io.PrintStream;
import java.time.Duration;
import org.idallocator.core.clock.Clock;

/** Tells how far a long command is, once a second, on one line that is written anew each time. Thread-safe. */
public final class Progress {
    private static final long PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

    private final boolean wanted;
    private final long total;
    private final PrintStream err;
    private final Clock clock;
    private long saidAtNanos;
    private boolean started;
    private boolean ended;

    public Progress(boolean wanted, long total, PrintStream err, Clock clock) {
        this.wanted = wanted;
        this.total = total;
        this.err = err;
        this.clock = clock;
        this.saidAtNanos = clock.nanos();
    }

    /** So many IDs are done. */
    public synchronized void reached(long done) {
        if (wanted && !ended && clock.nanos() - saidAtNanos >= PERIOD_NANOS) {
            say(done);
        }
    }

    /** So many IDs are done, and no more will be: ends the line, if there is one. */
    public synchronized void end(long done) {
        if (started && !ended) {
            say(done);
            err.println();
        }
        ended = true;
    }

    private void say(long done) {
        started = true;
        saidAtNanos = clock.nanos();
        err.printf("\r%d of %d IDs, %d %%", done, total, done * 100 / total);
        err.flush();
    }
}
