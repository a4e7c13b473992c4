package org.idallocator.service;

import com.google.common.base.Throwables;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.jspecify.annotations.Nullable;

/**
 * Opens the service's ZooKeeper ahead of need. The command begins the opening as soon as it has read the configuration.
 * So an embedded ZooKeeper starts while Dropwizard makes the environment, and the service serves sooner. Not
 * thread-safe: one thread begins and finishes.
 */
final class ZooKeeperOpening {
    private @Nullable CompletableFuture<ZooKeeperInUse> begun;

    /** Begins to open the ZooKeeper of a section, on a thread of its own. {@link #finish} throws what goes wrong. */
    void begin(AllocatorSection section) {
        begun = ZooKeeperInUse.openAhead(section);
    }

    /**
     * Waits for the opening that was begun, or opens the ZooKeeper now where none was begun. The caller closes the
     * result.
     *
     * @throws RuntimeException what {@link ZooKeeperInUse#open} throws
     */
    ZooKeeperInUse finish(AllocatorSection section) {
        if (begun == null) {
            return ZooKeeperInUse.open(section);
        }
        try {
            return begun.join();
        } catch (CompletionException e) {
            Throwable why = e.getCause();
            if (why != null) {
                Throwables.throwIfUnchecked(why);
            }
            throw e;
        }
    }
}
