package org.idallocator.zk.store;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;

/**
 * What it means that a client has no connection: its credentials are refused, TLS fails, or nobody answers. Thread-safe.
 *
 * <p>A client whose credentials are refused never tries again by itself. Each try leaves a session behind: a client has a session
 * before it shows credentials, and cannot end the session when they are refused. So there is one try per session timeout, and one
 * {@link TlsProbe}.
 */
final class ClientTrouble {
    private final ZooKeeperSettings settings;
    private final ZKClientConfig client;
    private final TlsProbe probe;
    private final Optional<String> missingLogin;
    private final Clock clock;
    private final long pauseNanos;
    private final AtomicLong triedNanos;
    private final AtomicLong probedNanos;
    private volatile Optional<String> tls = Optional.empty();

    ClientTrouble(ZooKeeperSettings settings, Clock clock) {
        this.settings = settings;
        this.client = Clients.properties(settings);
        this.probe = new TlsProbe(settings, client);
        this.missingLogin = Sasl.missing(client);
        this.clock = clock;
        this.pauseNanos = settings.sessionTimeout().toNanos();
        this.triedNanos = new AtomicLong(clock.nanos());
        this.probedNanos = new AtomicLong(clock.nanos() - pauseNanos);
    }

    /** What the client shows, in words. */
    String credentials() {
        return Sasl.section(client) // comes first: ZooKeeper refuses it before it sees anything else
                .map(section -> "SASL login of section " + section + " of the JAAS configuration")
                .orElse("credentials of zookeeper.auth");
    }

    /** Throws {@code REFUSED} where the client cannot log in as it should, whatever the server says, and would go on as anybody. */
    void requireLogin() {
        missingLogin.ifPresent(why -> {
            throw new StoreException(StoreException.Kind.REFUSED, why);
        });
    }

    /**
     * {@code REFUSED}. But where the client looks for the embedded ZooKeeper of a directory, something else listens there, and
     * the one that it looks for cannot be reached: {@code UNCERTAIN}.
     */
    StoreException refused(@Nullable Throwable cause) {
        return settings.namesEmbedded()
                ? new StoreException(
                        StoreException.Kind.UNCERTAIN, "what listens there refuses this client's credentials", cause)
                : new StoreException(
                        StoreException.Kind.REFUSED, settings.connect() + " refuses the " + credentials(), cause);
    }

    /** Whether a client whose credentials were refused is to try again now. True once per session timeout. */
    boolean tryAgain() {
        return isDue(triedNanos);
    }

    /** There is a connection: what was found before holds no more. */
    void connected() {
        tls = Optional.empty();
    }

    /** Says what is known, and has more found out in the background. Waits for nothing. */
    StoreException notConnected() {
        if (isDue(probedNanos)) {
            var unused = CompletableFuture.runAsync(() -> tls = probe.trouble());
        }
        return notConnected(tls, "not connected to ZooKeeper");
    }

    /** What is wrong with TLS, found out now; empty where it is not TLS. */
    Optional<String> ofTls() {
        return probe.trouble();
    }

    /** {@code NO_TLS} with what is wrong, or {@code UNCERTAIN} with these words. */
    static StoreException notConnected(Optional<String> tls, String otherwise) {
        return tls.map(words -> new StoreException(StoreException.Kind.NO_TLS, words))
                .orElseGet(() -> new StoreException(StoreException.Kind.UNCERTAIN, otherwise));
    }

    private boolean isDue(AtomicLong lastNanos) {
        long last = lastNanos.get();
        long now = clock.nanos();
        return now - last >= pauseNanos && lastNanos.compareAndSet(last, now);
    }
}
