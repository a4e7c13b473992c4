package org.idallocator.zk.store;

import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * What it means that a client's credentials are refused, and when the client tries again, which it never does by itself. Each try
 * leaves a session behind: a client has a session before it shows credentials, and cannot end the session when they are refused.
 * So there is one try per session timeout. Thread-safe.
 */
final class Refusal {
    private final StoreException.Kind kind;
    private final String credentials;
    private final String message;
    private final boolean certain;
    private final long pauseNanos;
    private final Clock clock;
    private long triedNanos;

    Refusal(ZooKeeperSettings settings, Clock clock) {
        boolean embedded = settings.namesEmbedded();
        this.kind = embedded ? StoreException.Kind.UNCERTAIN : StoreException.Kind.REFUSED;
        Optional<String> trouble = Clients.saslTrouble(settings);
        this.certain = trouble.isPresent();
        this.credentials = credentials(settings);
        this.message = embedded
                ? "what listens there refuses this client's credentials"
                : trouble.orElseGet(() -> settings.connect() + " refuses the " + credentials);
        this.pauseNanos = settings.sessionTimeout().toNanos();
        this.clock = clock;
        this.triedNanos = clock.nanos();
    }

    /** A client that logs in by SASL does so first, and is refused before ZooKeeper sees anything else. */
    private static String credentials(ZooKeeperSettings settings) {
        return Clients.saslSection(settings)
                .map(section -> "SASL login of section " + section + " of the JAAS configuration")
                .orElse("credentials of zookeeper.auth");
    }

    /** What the client shows, in words. */
    String credentials() {
        return credentials;
    }

    /** Throws {@code REFUSED} where the client cannot log in as it should, whatever the server says, and would go on as anybody. */
    void requireLogin() {
        if (certain) {
            throw exception();
        }
    }

    /**
     * {@code REFUSED}. But where the client looks for the embedded ZooKeeper of a directory, something else listens there, and
     * the one that it looks for cannot be reached: {@code UNCERTAIN}.
     */
    StoreException exception() {
        return new StoreException(kind, message);
    }

    /** The same of an operation that had this answer. */
    StoreException exception(KeeperException.AuthFailedException cause) {
        return new StoreException(kind, message, cause);
    }

    /** Whether to try again now. True once per session timeout. */
    synchronized boolean tryAgain() {
        long now = clock.nanos();
        if (now - triedNanos < pauseNanos) {
            return false;
        }
        triedNanos = now;
        return true;
    }
}
