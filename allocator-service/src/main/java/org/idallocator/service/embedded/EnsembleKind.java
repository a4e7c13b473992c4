package org.idallocator.service.embedded;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.idallocator.service.api.ZooKeeperEntry;
import org.idallocator.zk.operator.EmbeddedMark;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a replica's ZooKeeper is an embedded one, also where the configuration names nothing but its address. ZooKeeper is asked
 * in the background, with the replica's own credentials, when it has answered the replica; when it does not tell, again and again,
 * each time after a longer wait. Thread-safe.
 */
public final class EnsembleKind implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EnsembleKind.class);
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final ZooKeeperSettings zookeeper;
    private final BooleanSupplier answers;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile ZooKeeperEntry entry;

    private EnsembleKind(ZooKeeperSettings zookeeper, BooleanSupplier answers, ZooKeeperEntry entry) {
        this.zookeeper = zookeeper;
        this.answers = answers;
        this.entry = entry;
    }

    /** The kind of a replica's ZooKeeper; {@code answers} says whether that has answered the replica, and does not wait. */
    public static EnsembleKind of(Ensemble ensemble, BooleanSupplier answers) {
        ZooKeeperSettings zookeeper = ensemble.settings().zookeeper();
        if (ensemble.embedded()) {
            Optional<String> host = Optional.of(Replica.local().host());
            return new EnsembleKind(zookeeper, answers, new ZooKeeperEntry(Optional.of(true), host, zookeeper.root()));
        }
        EnsembleKind kind = new EnsembleKind(
                zookeeper, answers, new ZooKeeperEntry(Optional.empty(), Optional.empty(), zookeeper.root()));
        Thread thread = new Thread(kind::ask, "zookeeper-kind");
        thread.setDaemon(true);
        thread.start();
        return kind;
    }

    private void ask() {
        BackOff backOff = new BackOff(SHORTEST_WAIT, LONGEST_WAIT);
        Duration wait = backOff.next();
        try {
            while (entry.embedded().isEmpty() && !closing.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                if (answers.getAsBoolean()) {
                    askNow();
                    wait = backOff.next();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void askNow() {
        try {
            Optional<String> host = EmbeddedMark.read(zookeeper).map(EmbeddedMark::host);
            host.ifPresent(machine -> LOG.warn(
                    "The ZooKeeper at {} is an embedded one, on {}, and keeps the IDs of one machine apart; several machines need one"
                            + " ensemble",
                    zookeeper.connect(),
                    machine));
            entry = new ZooKeeperEntry(Optional.of(host.isPresent()), host, zookeeper.root());
        } catch (UnreachableException e) {
            LOG.debug("ZooKeeper does not tell now whether it is an embedded one", e);
        }
    }

    /** What is known now. */
    public ZooKeeperEntry entry() {
        return entry;
    }

    /** Ends the asking. */
    @Override
    public void close() {
        closing.countDown();
    }
}
