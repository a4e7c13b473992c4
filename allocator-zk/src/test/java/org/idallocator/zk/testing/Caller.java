package org.idallocator.zk.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.testing.HangGuard;
import org.jspecify.annotations.Nullable;

/**
 * A thread that never stops asking for IDs, and tells afterwards how that went. Phases in which it got IDs alternate
 * with phases in which it was refused, each for one reason.
 *
 * <p>It calls some 900 times a second, for several IDs at a time. That is several calls in a tick of 4 ms, so two
 * holders of a slot at once draw the same sequence numbers of the same ticks; and a dozen in the shortest gap between
 * two tenures that a test has it see, which is as long as the delay of a line. More calls would show no more, and a
 * test has many callers at a time.
 */
public final class Caller implements AutoCloseable {
    private static final int BATCH = 20;
    private static final long PAUSE_NANOS = 1_000_000;

    private final IdGenerator<?> generator;
    private final IdSink checker;
    private final List<Phase> phases = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    /**
     * Successive calls with the same outcome.
     *
     * @param reason why the calls were refused; null when they got IDs
     * @param fromNanos when the first call began, on {@link System#nanoTime}
     * @param untilNanos when the last call began
     * @param calls how many calls there were
     * @param first the first ID; null when the calls were refused
     */
    public record Phase(
            @Nullable FenceReason reason,
            long fromNanos,
            long untilNanos,
            long calls,
            @Nullable Bits first) {

        public boolean issuing() {
            return reason == null;
        }

        @Override
        public String toString() {
            String what = reason == null ? "IDS" : reason.toString();
            return what + " x " + calls + " in " + (untilNanos - fromNanos) / 1_000_000 + " ms";
        }
    }

    /** An ID as its bits. */
    public record Bits(long high, long low) {}

    private Caller(IdGenerator<?> generator, IdSink checker) {
        this.generator = generator;
        this.checker = checker;
        this.thread = new Thread(this::run, "caller");
        thread.setDaemon(true);
    }

    /** Starts asking; all IDs go to {@code checker}. */
    public static Caller of(IdGenerator<?> generator, IdSink checker) {
        Caller caller = new Caller(generator, checker);
        caller.thread.start();
        return caller;
    }

    private void run() {
        try {
            while (!stopped) {
                call();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void call() {
        long began = System.nanoTime();
        List<Bits> first = new ArrayList<>(1);
        try {
            generator.next(BATCH, (high, low) -> {
                checker.accept(high, low);
                if (first.isEmpty()) {
                    first.add(new Bits(high, low));
                }
            });
            note(new Phase(null, began, began, 1, first.get(0)));
        } catch (FencedException e) {
            note(new Phase(e.reason(), began, began, 1, null));
        } catch (OverCapacityException e) {
            // the call neither got IDs nor was fenced, so the phase goes on
        }
    }

    private synchronized void note(Phase call) {
        int last = phases.size() - 1;
        if (last < 0 || phases.get(last).reason() != call.reason()) {
            phases.add(call);
        } else {
            Phase phase = phases.get(last);
            phases.set(
                    last,
                    new Phase(phase.reason(), phase.fromNanos(), call.untilNanos(), phase.calls() + 1, phase.first()));
        }
    }

    /** What has happened until now, in order. */
    public synchronized List<Phase> phases() {
        Throwable thrown = failure;
        if (thrown != null) {
            throw new AssertionError("a call failed otherwise than by being fenced", thrown);
        }
        return List.copyOf(phases);
    }

    /** Whether the last call got IDs. */
    public boolean issuing() {
        List<Phase> now = phases();
        return !now.isEmpty() && now.get(now.size() - 1).issuing();
    }

    /** Whether the last call was refused for this reason. */
    public boolean refused(FenceReason reason) {
        List<Phase> now = phases();
        return !now.isEmpty() && now.get(now.size() - 1).reason() == reason;
    }

    /** The phases in which IDs came, in order: with one gap they are two. */
    public List<Phase> issued() {
        return phases().stream().filter(Phase::issuing).toList();
    }

    /** Why calls were refused, in order, each reason once for every phase. */
    public List<FenceReason> refusals() {
        List<FenceReason> reasons = new ArrayList<>();
        for (Phase phase : phases()) {
            FenceReason reason = phase.reason();
            if (reason != null) {
                reasons.add(reason);
            }
        }
        return reasons;
    }

    @Override
    public String toString() {
        return phases().stream().map(Phase::toString).collect(Collectors.joining(", "));
    }

    /** Stops asking, and waits until the last call has ended. */
    @Override
    public void close() {
        stopped = true;
        try {
            thread.join(HangGuard.TIME.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
