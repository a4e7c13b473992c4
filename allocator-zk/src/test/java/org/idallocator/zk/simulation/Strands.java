package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads of which exactly one runs at a time: the one that holds the baton. It runs until it calls {@link #pause}, where a
 * scheduler, on the same thread, decides who goes on. So real, blocking code runs interleaved at every point that pauses, and
 * always in the same way when the scheduler draws from the same seed.
 */
final class Strands {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "strand");
        thread.setDaemon(true);
        return thread;
    });

    private final Supplier<Strand> scheduler;
    private final List<Strand> strands = new ArrayList<>();
    private @Nullable Strand running;
    private boolean scheduling;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    /** {@code scheduler} says who goes on; it may {@link #end} everything, and what it throws does, too. */
    Strands(Supplier<Strand> scheduler) {
        this.scheduler = scheduler;
    }

    /** Unwinds a strand at its pause when everything is over. */
    private static final class Over extends Error {
        private static final long serialVersionUID = 1L;

        Over() {
            super(null, null, false, false);
        }
    }

    /** One of the threads, and until when it does not want to, or cannot, run. */
    static final class Strand {
        private final Semaphore turn = new Semaphore(0);
        private final Runnable body;
        private long sleepsUntil;
        private long frozenUntil;

        private Strand(Runnable body) {
            this.body = body;
        }

        /** When it can go on, in the scheduler's time. */
        long readyAt() {
            return Math.max(sleepsUntil, frozenUntil);
        }

        void sleepUntil(long time) {
            sleepsUntil = time;
        }

        /** Ends its sleep. */
        void wake() {
            sleepsUntil = Long.MIN_VALUE;
        }

        /** Stops it, like SIGSTOP, until then. */
        void freezeUntil(long time) {
            frozenUntil = time;
        }
    }

    Strand add(Runnable body) {
        Strand strand = new Strand(body);
        strands.add(strand);
        return strand;
    }

    List<Strand> all() {
        return strands;
    }

    /** The strand that holds the baton; the first before the start. */
    Strand current() {
        return Objects.requireNonNullElse(running, strands.get(0));
    }

    /** Ends all strands at their pauses. */
    void end() {
        over = true;
    }

    boolean over() {
        return over;
    }

    /** Runs all strands until the end; throws what one of them, or the scheduler, threw. */
    void run() {
        CountDownLatch left = new CountDownLatch(strands.size());
        for (Strand strand : strands) {
            THREADS.execute(() -> {
                strand.turn.acquireUninterruptibly();
                live(strand);
                left.countDown();
            });
        }
        running = strands.get(0);
        strands.get(0).turn.release();
        await(left);
        rethrow();
    }

    private void live(Strand strand) {
        try {
            if (!over) {
                strand.body.run();
            }
        } catch (Over e) {
            // as asked
        } catch (Throwable e) {
            fail(e);
        }
        end(); // the first strand to stop, for whatever reason, ends them all
        strands.forEach(other -> other.turn.release());
    }

    /** Lets others go on, perhaps. Within the scheduler, and before the start, it does nothing. */
    void pause() {
        Strand me = running;
        if (scheduling || me == null) {
            return;
        }
        if (over) {
            throw new Over();
        }
        Strand next = choose(me);
        if (next != me) {
            running = next;
            next.turn.release();
            me.turn.acquireUninterruptibly();
        }
        if (over) {
            throw new Over();
        }
    }

    private Strand choose(Strand me) {
        scheduling = true;
        try {
            return scheduler.get();
        } catch (Throwable e) {
            fail(e);
            end();
            return me;
        } finally {
            scheduling = false;
        }
    }

    private void fail(Throwable e) {
        if (failure == null) {
            failure = e;
        }
    }

    private static void await(CountDownLatch left) {
        try {
            left.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void rethrow() {
        Throwable thrown = failure;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            throw new AssertionError(thrown.toString(), thrown);
        }
    }
}
