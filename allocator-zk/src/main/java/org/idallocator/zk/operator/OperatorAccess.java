package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.StoreException.Kind;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/** What an operator's command works with. A command is no replica: it joins nothing and claims nothing. */
public final class OperatorAccess {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int TRIES = 10;

    private final Clock clock;
    private final AllocatorSettings settings;
    private final Znodes nodes;
    private final Generations generations;

    /**
     * Works on a store that is open, and stays open.
     *
     * @param store ZooKeeper
     * @param clock this machine's clock
     * @param settings the configuration that the operator gave
     */
    public OperatorAccess(Store store, Clock clock, AllocatorSettings settings) {
        this.clock = clock;
        this.settings = settings;
        this.nodes = Znodes.below(settings.zookeeper().root(), store, clock);
        this.generations = new Generations(nodes, settings::terms);
    }

    /**
     * Runs a command on a connection that is opened for the command and closed after it.
     *
     * @throws UnreachableException when ZooKeeper does not answer within 15 s, or does not accept what is written, or
     *     the chroot of the connect string does not exist
     */
    static <T> T run(AllocatorSettings settings, Function<OperatorAccess, T> command) {
        return run(settings, command, Connection::close);
    }

    /** The same, where {@code end} closes the connection. */
    static <T> T run(AllocatorSettings settings, Function<OperatorAccess, T> command, Consumer<Connection> end) {
        return asking(() -> {
            Connection connection = open(settings);
            try {
                return command.apply(new OperatorAccess(connection.store(), Clock.system(), settings));
            } finally {
                end.accept(connection);
            }
        });
    }

    /**
     * What is asked here; throws {@link UnreachableException} where ZooKeeper gives no answer, or somebody else wrote
     * meanwhile.
     */
    static <T extends @Nullable Object> T asking(Supplier<T> question) {
        try {
            return question.get();
        } catch (StoreException | ChangedMeanwhileException e) {
            throw new UnreachableException(e);
        }
    }

    /**
     * Waits up to 15 s for ZooKeeper; throws {@link StoreException}, {@code NO_CHROOT} where the chroot does not exist.
     */
    static Connection open(AllocatorSettings settings) {
        Connection connection = Connection.open(settings.zookeeper(), PATIENCE);
        try {
            OperatorAccess access = new OperatorAccess(connection.store(), Clock.system(), settings);
            if (access.lacksChroot()) {
                throw new StoreException(
                        Kind.NO_CHROOT,
                        "the path " + access.chroot()
                                + " of zookeeper.connect does not exist: create it, or correct it");
            }
            return connection;
        } catch (StoreException e) {
            connection.close();
            throw e;
        }
    }

    /** This machine's clock. */
    Clock clock() {
        return clock;
    }

    /** The configuration that the operator gave. */
    AllocatorSettings settings() {
        return settings;
    }

    /** All that is below the root of these settings. */
    Znodes nodes() {
        return nodes;
    }

    /** The generations of the pools below that root, by the terms of these settings. */
    Generations generations() {
        return generations;
    }

    /** One that knows nothing of ZooKeeper's time yet. */
    LeaderClock newLeaderClock() {
        return new LeaderClock(clock, settings.maxClockSkew());
    }

    /**
     * One try of a command that changes something.
     *
     * @param outcome what became of the write; empty where there was nothing to write
     * @param result what the command says once it is done
     */
    record Tried<T>(Optional<Outcome> outcome, T result) {

        /**
         * A try that has sent something. Throws {@link StoreException} {@code NO_PERMISSION} where that is not allowed.
         */
        static <T> Tried<T> sent(Outcome outcome, T result) {
            if (outcome instanceof Outcome.Forbidden forbidden) {
                throw forbidden.trouble();
            }
            return new Tried<>(Optional.of(outcome), result);
        }

        /** There was nothing to write. */
        static <T> Tried<T> nothing(T result) {
            return new Tried<>(Optional.empty(), result);
        }

        boolean isDone() {
            return outcome.map(Outcome.Applied.class::isInstance).orElse(true);
        }

        boolean isInDoubt() {
            return outcome.filter(Outcome.Unknown.class::isInstance).isPresent();
        }
    }

    /**
     * Tries to change a slot until it is known what came of it. Where somebody else wrote meanwhile, or the answer was
     * lost, the next try looks again. What was sent cannot be applied after the next try has written: both depend on
     * the same version.
     *
     * @throws StoreException {@code NO_ANSWER} when the answer to a write was lost, and nobody can look what became of
     *     it
     * @throws ChangedMeanwhileException when others wrote again and again
     */
    <T> T repeat(Slot slot, Supplier<Tried<T>> attempt) {
        boolean inDoubt = false;
        try {
            for (int i = 0; i < TRIES; i++) {
                Tried<T> tried = attempt.get();
                if (tried.isDone()) {
                    return tried.result();
                }
                inDoubt = tried.isInDoubt();
            }
            throw new ChangedMeanwhileException(slot + " was written again and again meanwhile; look, and try again");
        } catch (StoreException | ChangedMeanwhileException | FencedException e) {
            if (!inDoubt) {
                throw e;
            }
            String why =
                    slot + " may have been changed, or may be changed yet: the answer to the write was lost; look with"
                            + " leases show, and run the command again where need be: " + e.getMessage();
            throw new StoreException(Kind.NO_ANSWER, why, e);
        }
    }

    /** The path that all others are below, {@code /ids}; empty where there is none. */
    String chroot() {
        return settings.zookeeper().chroot();
    }

    /**
     * Whether the chroot does not exist: then everything seems to be missing. Who may not read the node knows that it
     * is there.
     */
    boolean lacksChroot() {
        try {
            return !chroot().isEmpty() && !nodes.exists("/");
        } catch (StoreException e) {
            if (e.kind() != Kind.NO_PERMISSION) {
                throw e;
            }
            return false;
        }
    }
}
