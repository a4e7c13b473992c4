package org.idallocator.zk.simulation;

import com.google.common.base.Throwables;
import com.google.common.util.concurrent.Uninterruptibles;
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
 * Threads of which exactly one runs at a time: the one that holds the baton. The thread runs until it calls
 * {@link #pause}. There a scheduler, on the same thread, decides who goes on. So real, blocking code is interleaved
 * wherever it pauses, and always in the same way when the scheduler draws from the same seed.
 */
final class Strands {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new StrandThread(task);
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Its ID is the number of the strand that it runs: code that goes by the thread's ID goes the same way in every
     * run.
     */
    private static final class StrandThread extends Thread {
        private volatile long strand;

        StrandThread(Runnable task) {
            super(task, "strand");
        }

        static void runs(long strand) {
            ((StrandThread) Thread.currentThread()).strand = strand;
        }

        @Override
        public long getId() {
            return strand;
        }
    }

    private final Supplier<Strand> scheduler;
    private final List<Strand> strands = new ArrayList<>();
    private @Nullable Strand running;
    private boolean scheduling;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    /**
     * {@code scheduler} says who goes on. It may {@link #end} everything; an exception of the scheduler's ends
     * everything, too.
     */
    Strands(Supplier<Strand> scheduler) {
        this.scheduler = scheduler;
    }

    /** Unwinds a strand at its pause when everything has ended. */
    private static final class Ended extends Error {
        private static final long serialVersionUID = 1L;

        Ended() {
            super(null, null, false, false);
        }
    }

    /** One of the threads, and until when it sleeps or is frozen. */
    static final class Strand {
        private final Semaphore turn = new Semaphore(0);
        private final Runnable body;
        private @Nullable Thread thread; // once it has run
        private boolean parked;
        private boolean unparked; // since it was parked last
        private long sleepsUntilNanos;
        private long frozenUntilNanos;
        private @Nullable Object lock;
        private boolean holdsLock;

        private Strand(Runnable body) {
            this.body = body;
        }

        /** When it can go on, in the scheduler's time. */
        long readyAtNanos() {
            return Math.max(sleepsUntilNanos, frozenUntilNanos);
        }

        /**
         * From its next pause on it may take this object's lock, and pause while it has it; null where it may not. It
         * does not go on from a pause while another strand has paused with that lock.
         */
        void mayTake(@Nullable Object newLock) {
            lock = newLock;
        }

        private void noteLock() {
            holdsLock = lock != null && Thread.holdsLock(lock);
        }

        void sleepUntil(long timeNanos) {
            sleepsUntilNanos = timeNanos;
        }

        /** Ends its sleep. */
        void wake() {
            sleepsUntilNanos = Long.MIN_VALUE;
        }

        /** Stops the strand until then, like SIGSTOP. */
        void freezeUntil(long timeNanos) {
            frozenUntilNanos = timeNanos;
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

    /**
     * Whether no other strand has paused with a lock that this one may take: this one would stop there, and nobody
     * would go on.
     */
    boolean mayGoOn(Strand strand) {
        if (strand.lock != null) {
            for (Strand other : strands) {
                if (other != strand && other.holdsLock && other.lock == strand.lock) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The strand that holds the baton; the first before the start. */
    Strand current() {
        return Objects.requireNonNullElse(running, strands.get(0));
    }

    /** Ends all strands at their pauses. */
    void end() {
        ended = true;
    }

    /** Whether everything has ended. */
    boolean ended() {
        return ended;
    }

    /** Runs all strands until the end; throws what one of them, or the scheduler, threw. */
    void run() {
        CountDownLatch left = new CountDownLatch(strands.size());
        for (int i = 0; i < strands.size(); i++) {
            Strand strand = strands.get(i);
            long number = i;
            THREADS.execute(() -> {
                StrandThread.runs(number);
                strand.turn.acquireUninterruptibly();
                strand.thread = Thread.currentThread();
                live(strand);
                left.countDown();
            });
        }
        running = strands.get(0);
        strands.get(0).turn.release();
        Uninterruptibles.awaitUninterruptibly(left);
        if (failure != null) {
            Throwables.throwIfInstanceOf(failure, Error.class);
            throw new AssertionError(failure.toString(), failure);
        }
    }

    private void live(Strand strand) {
        try {
            if (!ended) {
                strand.body.run();
            }
        } catch (Ended e) {
            // as asked
        } catch (Throwable e) {
            fail(e);
        }
        end(); // the first strand to stop, for whatever reason, ends them all
        strands.forEach(other -> other.turn.release());
    }

    /** Lets another strand go on, perhaps. Does nothing within the scheduler, and before the start. */
    void pause() {
        Strand me = running;
        if (scheduling || me == null) {
            return;
        }
        if (ended) {
            throw new Ended();
        }
        me.noteLock();
        Strand next = choose(me);
        if (next != me) {
            running = next;
            next.turn.release();
            me.turn.acquireUninterruptibly();
        }
        if (ended) {
            throw new Ended();
        }
    }

    /** Pauses the strand that runs until then, or until it is unparked, or not at all where it was unparked before. */
    void park(long timeNanos) {
        Strand me = current();
        if (!me.unparked) {
            me.parked = true;
            me.sleepUntil(timeNanos);
        }
        pause();
        me.parked = false;
        me.unparked = false;
    }

    /** Ends the {@link #park} of the strand that runs on this thread; where none is under way, the next one. */
    void unpark(Thread thread) {
        for (Strand strand : strands) {
            if (strand.thread == thread) {
                strand.unparked = true;
                if (strand.parked) {
                    strand.wake();
                }
            }
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
}
