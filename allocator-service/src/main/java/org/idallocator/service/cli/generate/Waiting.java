package org.idallocator.service.cli.generate;

import java.io.PrintStream;
import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.embedded.Ensemble;

/** Tells what a command waits for before it prints anything, after a moment and then every few seconds. Not thread-safe. */
public final class Waiting {
    private static final Duration PERIOD = Duration.ofSeconds(4);

    /** A claim takes less. */
    private static final Duration FIRST = Duration.ofMillis(500);

    /** An embedded ZooKeeper was found to answer already, so nobody has to be told of its address. */
    private static final Duration FIRST_EMBEDDED = Duration.ofSeconds(4);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Ensemble ensemble;
    private final PrintStream err;
    private final Clock clock;
    private final long begunNanos;
    private long dueNanos;
    private boolean said;

    public Waiting(Ensemble ensemble, PrintStream err, Clock clock) {
        this.ensemble = ensemble;
        this.err = err;
        this.clock = clock;
        this.begunNanos = clock.nanos();
        this.dueNanos = begunNanos + (ensemble.embedded() ? FIRST_EMBEDDED : FIRST).toNanos();
    }

    /** How long the command has waited. */
    Duration soFar() {
        return Duration.ofNanos(clock.nanos() - begunNanos);
    }

    /** Still waiting, because of {@code why}, and for {@code left} at most. */
    void goesOn(FencedException why, Duration left) {
        boolean floor = why.reason() == FenceReason.COOLING && left.compareTo(MOMENT) > 0;
        if (clock.nanos() - dueNanos >= 0 || (floor && !said)) {
            said = true;
            dueNanos = clock.nanos() + PERIOD.toNanos();
            err.println("waiting for " + ensemble.description() + ", for " + (left.toSeconds() + 1) + " s more at most"
                    + reason(why));
        }
    }

    /** That nothing has come yet goes without saying. */
    private static String reason(FencedException why) {
        return why.reason() == FenceReason.STARTING ? "" : ": " + why.getMessage();
    }

    /** Says for what the command has waited in vain. */
    String inVain(FencedException why) {
        return ensemble.description() + ", gave no slot within " + soFar().toSeconds() + " s: " + why.getMessage();
    }
}
