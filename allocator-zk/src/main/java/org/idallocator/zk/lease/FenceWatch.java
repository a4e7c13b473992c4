package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of fences that trip while the lease loop is in the midst of a step. A step may wait for ZooKeeper for longer than a deadline is
 * ahead: callers are refused at once, as they ask the fence themselves, and the log and the counts shall say so within a second. Has a
 * thread of its own, which asks nobody and changes nothing else.
 */
final class FenceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FenceWatch.class);
    private static final Duration EVERY = Duration.ofMillis(250);

    private final List<SlotGroup> groups;
    private final ScheduledExecutorService looking;

    /** Looks at nothing before {@link #start}. */
    FenceWatch(List<SlotGroup> groups) {
        this.groups = List.copyOf(groups);
        this.looking = Executors.newSingleThreadScheduledExecutor(look -> {
            Thread thread = new Thread(look, "id-allocator-fences");
            thread.setDaemon(true);
            return thread;
        });
    }

    void start() {
        var unused = looking.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What fails now may succeed at the next look: a task that throws would be the last one. */
    private void look() {
        try {
            groups.forEach(SlotGroup::tellOfFences);
        } catch (RuntimeException e) {
            LOG.warn("fences could not be looked at; they are looked at again", e);
        }
    }

    @Override
    public void close() {
        looking.shutdownNow();
    }
}
