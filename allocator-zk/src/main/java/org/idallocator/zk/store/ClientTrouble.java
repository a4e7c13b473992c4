package org.idallocator.zk.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What it means that a client has no connection: its credentials are refused, TLS fails, a name does not resolve, or
 * nobody answers. Thread-safe.
 *
 * <p>A client whose credentials are refused never tries again by itself. Each try leaves a session behind: a client has
 * a session before it shows credentials, and cannot end the session when they are refused. So there is one try per
 * session timeout, and one {@link NameProbe} and {@link TlsProbe}.
 */
final class ClientTrouble {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTrouble.class);

    /** Names that do not resolve after a longer silence are another incident. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final ZooKeeperSettings settings;
    private final Level news;
    private final ZKClientConfig client;
    private final NameProbe nameProbe;
    private final TlsProbe tlsProbe;
    private final Optional<String> missingLogin;
    private final Clock clock;
    private final Turns tries;
    private final Turns probes;
    private final AtomicBoolean finding = new AtomicBoolean();
    private final Map<List<String>, Long> foundNanos = new ConcurrentHashMap<>(); // when names last did not resolve
    private volatile List<String> unresolved = List.of();
    private volatile Optional<String> tls = Optional.empty();

    /** {@code news} is the level at which the log is told that names do not resolve, for the first time in a while. */
    ClientTrouble(ZooKeeperSettings settings, Clock clock, Level news) {
        this.settings = settings;
        this.news = news;
        this.client = Clients.properties(settings);
        this.nameProbe = new NameProbe(settings.servers());
        this.tlsProbe = new TlsProbe(settings.servers(), client);
        this.missingLogin = Sasl.missing(client);
        this.clock = clock;
        long pauseNanos = settings.sessionTimeout().toNanos();
        this.tries = new Turns(clock, pauseNanos, clock.nanos());
        this.probes = new Turns(clock, pauseNanos, clock.nanos() - pauseNanos);
    }

    /** Turns that are a pause apart, each of which goes to the first thread that takes it. */
    private static final class Turns {
        private final Clock clock;
        private final long pauseNanos;
        private final AtomicLong takenNanos;

        /** {@code takenNanos} is when the last turn was taken before these. */
        Turns(Clock clock, long pauseNanos, long takenNanos) {
            this.clock = clock;
            this.pauseNanos = pauseNanos;
            this.takenNanos = new AtomicLong(takenNanos);
        }

        /** Whether there was a turn, which is taken now. */
        boolean take() {
            long taken = takenNanos.get();
            long now = clock.nanos();
            return now - taken >= pauseNanos && takenNanos.compareAndSet(taken, now);
        }
    }

    /** What the client shows, in words. */
    String credentials() {
        return Sasl.section(client) // comes first: ZooKeeper refuses it before it sees anything else
                .map(section -> "SASL login of section " + section + " of the JAAS configuration")
                .orElse("credentials of zookeeper.auth");
    }

    /**
     * Throws {@code CREDENTIALS_REFUSED} where the client cannot log in as it should, whatever the server says, and
     * would go on as anybody.
     */
    void requireLogin() {
        missingLogin.ifPresent(why -> {
            throw new StoreException(StoreException.Kind.CREDENTIALS_REFUSED, why);
        });
    }

    /**
     * {@code CREDENTIALS_REFUSED}. But where the client looks for the embedded ZooKeeper of a directory, something else
     * listens there, and the one that it looks for cannot be reached: {@code NO_ANSWER}.
     */
    StoreException refused(@Nullable Throwable cause) {
        return settings.namesEmbedded()
                ? new StoreException(
                        StoreException.Kind.NO_ANSWER, "what listens there refuses this client's credentials", cause)
                : new StoreException(
                        StoreException.Kind.CREDENTIALS_REFUSED,
                        settings.connect() + " refuses the " + credentials(),
                        cause);
    }

    /**
     * Takes the turn of a client whose credentials were refused to try again, if there is one: one per session timeout.
     */
    boolean takeTry() {
        return tries.take();
    }

    /** Forgets what was found before: there is a connection, and nobody knows what will be wrong with the next. */
    void forget() {
        unresolved = List.of();
        tls = Optional.empty();
    }

    /** What is known of why there is no connection. Asks nobody. */
    StoreException notConnected() {
        return notConnected(unresolved, tls, "not connected to ZooKeeper");
    }

    /** Has more found out in the background, once per session timeout. Waits for nothing. */
    void findOutSoon() {
        if (probes.take() && finding.compareAndSet(false, true)) { // one at a time: servers of names may take long
            var unused = CompletableFuture.runAsync(this::findOut).whenComplete((done, failure) -> finding.set(false));
        }
    }

    private void findOut() {
        tls = probeTls();
        List<String> found = findUnresolved();
        if (!found.isEmpty()) {
            tellOf(found);
        }
        unresolved = found;
    }

    private void tellOf(List<String> found) {
        long now = clock.nanos();
        Long before = foundNanos.put(found, now);
        boolean first = before == null || now - before > QUIET.toNanos();
        LOG.atLevel(first ? news : Level.DEBUG).log("{} (zookeeper.connect)", NameProbe.inWords(found));
    }

    /** Looks all names up now, and returns those that do not resolve. */
    List<String> findUnresolved() {
        return nameProbe.findUnresolved();
    }

    /** Tries TLS now, and returns what is wrong with it; empty where it is not TLS. */
    Optional<String> probeTls() {
        return tlsProbe.findTrouble();
    }

    /**
     * {@code NO_TLS} with what is wrong, or {@code NO_ANSWER} with these words and with the names that do not resolve.
     */
    static StoreException notConnected(List<String> unresolved, Optional<String> tls, String otherwise) {
        String why = unresolved.isEmpty() ? "" : ": " + NameProbe.inWords(unresolved);
        return tls.map(words -> new StoreException(StoreException.Kind.NO_TLS, words))
                .orElseGet(() -> new StoreException(StoreException.Kind.NO_ANSWER, otherwise + why));
    }
}
