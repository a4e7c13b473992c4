package org.idallocator.zk.lease;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/**
 * One drain, and what came of it. The lease thread tells; whoever gave the order waits for {@link #givenBack}. Thread-safe.
 */
final class Draining {
    private final Set<Tenure> tenures = new LinkedHashSet<>();
    private final CompletableFuture<Boolean> givenBack = new CompletableFuture<>();
    private volatile @Nullable FencedException hindrance;

    /** These are to be given back. */
    synchronized void add(List<Tenure> more) {
        tenures.addAll(more);
    }

    /** All that were to be given back, also those that are by now. */
    synchronized List<Tenure> tenures() {
        return List.copyOf(tenures);
    }

    /** The last step did not give all back for this reason; null where nothing hindered it. */
    void hindered(@Nullable FencedException why) {
        hindrance = why;
    }

    /** Why the last step did not give all back; empty where nothing hindered it, and before the first. */
    Optional<FencedException> hindrance() {
        return Optional.ofNullable(hindrance);
    }

    /** Nothing further happens. */
    void end(boolean all) {
        givenBack.complete(all);
    }

    /** Completes with true when all is given back, and with false where the replica is resumed or closed before. */
    CompletableFuture<Boolean> givenBack() {
        return givenBack;
    }
}
