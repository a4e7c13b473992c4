package org.idallocator.zk.store;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * What it means that a client has no connection. Where the client speaks TLS, a {@link TlsProbe} may find out more: in the
 * background, once per session timeout. Thread-safe.
 */
final class NoConnection {
    private final TlsProbe probe;
    private final Clock clock;
    private final long pauseNanos;
    private long probedNanos;
    private volatile Optional<String> trouble = Optional.empty();

    NoConnection(ZooKeeperSettings settings, Clock clock) {
        this.probe = new TlsProbe(settings);
        this.clock = clock;
        this.pauseNanos = settings.sessionTimeout().toNanos();
        this.probedNanos = clock.nanos() - pauseNanos;
    }

    /** There is a connection: what was found before holds no more. */
    void over() {
        if (trouble.isPresent()) {
            trouble = Optional.empty();
        }
    }

    /** Says what is known, and has more found out. Waits for nothing. */
    StoreException exception() {
        if (probe.applies() && isTimeToProbe()) {
            var unused = CompletableFuture.runAsync(() -> trouble = probe.trouble());
        }
        return exception(trouble, "not connected to ZooKeeper");
    }

    private synchronized boolean isTimeToProbe() {
        long now = clock.nanos();
        if (now - probedNanos < pauseNanos) {
            return false;
        }
        probedNanos = now;
        return true;
    }

    /** {@code NO_TLS} with what is wrong, or {@code UNCERTAIN} with these words. */
    static StoreException exception(Optional<String> trouble, String otherwise) {
        return trouble.map(words -> new StoreException(StoreException.Kind.NO_TLS, words))
                .orElseGet(() -> new StoreException(StoreException.Kind.UNCERTAIN, otherwise));
    }
}
