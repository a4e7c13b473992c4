package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Reads;

/**
 * Tells who holds a slot, or at once that this is not known: no question waits for longer than {@link #PATIENCE}, and none at
 * all while there is no connection, or while an earlier question is overdue. So an outage never makes callers queue up.
 * Thread-safe.
 */
public final class Holders {
    static final Duration PATIENCE = Duration.ofMillis(50);

    private final Reads reads;
    private final Tree tree;
    private final AtomicInteger overdue = new AtomicInteger();

    /** {@code root} is where everything lives. */
    public Holders(Reads reads, String root) {
        this.reads = reads;
        this.tree = new Tree(root);
    }

    /** Who holds a slot of a scheme that has slots. */
    public Holder holder(Scheme<?> scheme, long slot) {
        if (!reads.connected()) {
            return Holder.unknown("not connected to ZooKeeper");
        }
        if (overdue.get() > 0) {
            return silent();
        }
        String path = tree.lease(Slot.of(scheme, slot));
        return answer(path, reads.read(path));
    }

    private Holder answer(String path, CompletableFuture<Optional<String>> read) {
        try {
            return read.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .map(data -> Holder.of(path, data))
                    .orElse(Holder.NOBODY);
        } catch (TimeoutException e) {
            overdue.incrementAndGet();
            var unused = read.whenComplete((data, failure) -> overdue.decrementAndGet());
            return silent();
        } catch (ExecutionException e) {
            return Holder.unknown("ZooKeeper cannot be asked: "
                    + Objects.requireNonNullElse(e.getCause(), e).getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Holder.unknown("the question was interrupted");
        }
    }

    private static Holder silent() {
        return Holder.unknown("ZooKeeper did not answer within " + PATIENCE.toMillis() + " ms");
    }
}
