package org.idallocator.service.bundle;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ensemble that is opened on a thread of its own, while whoever needs it does something else. It belongs to whoever takes it;
 * where nobody has, closing this closes it. Thread-safe.
 */
final class Opening implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    private final FutureTask<Ensemble> opened;
    private final AtomicBoolean taken = new AtomicBoolean();

    private Opening(FutureTask<Ensemble> opened) {
        this.opened = opened;
    }

    /** Begins to open the ensemble of a section, and returns at once. */
    static Opening of(AllocatorSection section) {
        FutureTask<Ensemble> opened = new FutureTask<>(() -> Ensemble.of(section));
        Thread thread = new Thread(opened, "zookeeper-opening");
        thread.setDaemon(true); // a start that fails must not wait for it
        thread.start();
        return new Opening(opened);
    }

    /**
     * Waits for the ensemble, and hands it over, once.
     *
     * @throws RuntimeException what {@link Ensemble#of} has thrown
     * @throws IllegalStateException when the ensemble was taken or closed before, or when interrupted
     */
    Ensemble take() {
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException("what was opened ahead is for one run");
        }
        try {
            return opened.get();
        } catch (InterruptedException e) {
            taken.set(false); // nobody has it: closing this closes it
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while ZooKeeper was opened", e);
        } catch (ExecutionException e) {
            throw thrown(e);
        }
    }

    private static RuntimeException thrown(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
    }

    /** Closes the ensemble, as soon as it is open, unless it was taken. */
    @Override
    public void close() {
        if (!taken.compareAndSet(false, true)) {
            return;
        }
        try {
            opened.get().close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("interrupted before what was opened could be closed; it ends with the process", e);
        } catch (ExecutionException e) {
            LOG.debug("what nobody waits for any more could not be opened", e);
        }
    }
}
