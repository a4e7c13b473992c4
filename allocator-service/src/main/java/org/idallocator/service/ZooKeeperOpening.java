package org.idallocator.service;

import com.google.common.base.Throwables;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.jspecify.annotations.Nullable;

/**
 * The opening of the service's ZooKeeper. The command begins it as soon as the configuration is read: an embedded
 * ZooKeeper starts while Dropwizard makes the environment, and the service serves sooner. For one thread, which begins
 * and takes.
 */
final class ZooKeeperOpening {
    private @Nullable CompletableFuture<ZooKeeperInUse> begun;

    /** Begins it, on a thread of its own. What cannot be opened is told by {@link #finish}. */
    void begin(AllocatorSection section) {
        begun = ZooKeeperInUse.openAhead(section);
    }

    /** What is open, and the caller's to close. Waits for what was begun; where nothing was, opens it now. */
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
