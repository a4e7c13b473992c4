package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.store.CuratorStore;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.TimeLimit;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Znodes;

/**
 * Tells who holds a slot, or soon that this is not known: nobody waits for longer than {@link #PATIENCE}, and nobody at
 * all while there is no connection, or for a question that would be one more than {@link #MOST_UNDER_WAY} under way, or
 * than {@link #MOST_A_SECOND}. The answers to the questions of one {@link #FRESH} are kept, and told to everybody who
 * asks the same in it, also when they have come too late for the first one: where ZooKeeper is further away than that,
 * whoever asks a second time is told. Thread-safe.
 */
public final class HolderLookup {
    static final Duration PATIENCE = Duration.ofMillis(5);
    static final Duration FRESH = Duration.ofSeconds(1);

    /** How many questions may be under way: they go by the session that renews, which they must not fill. */
    static final int MOST_UNDER_WAY = 16;

    /**
     * How many questions are asked in one {@link #FRESH}. A ZooKeeper that answers at once would be asked thousands by
     * strangers, and it serves the other replicas as well. People who look at IDs ask far fewer.
     */
    static final int MOST_A_SECOND = 200;

    private static final Holder SILENT =
            Holder.unknown("ZooKeeper did not answer within " + PATIENCE.toMillis() + " ms; ask again");
    private static final CompletableFuture<Holder> BUSY = CompletableFuture.completedFuture(
            Holder.unknown("ZooKeeper has yet to answer " + MOST_UNDER_WAY + " such questions; ask again"));
    private static final CompletableFuture<Holder> ENOUGH = CompletableFuture.completedFuture(
            Holder.unknown("ZooKeeper was asked " + MOST_A_SECOND + " such questions within a second; ask again"));

    private final BooleanSupplier connected;
    private final Function<String, CompletableFuture<Optional<Store.Node>>> read;
    private final Znodes nodes;
    private final Clock clock;
    private final Semaphore places = new Semaphore(MOST_UNDER_WAY); // one for each question that may be under way
    /** One for each question that was asked since {@link #sinceNanos}; guarded by this. */
    private final Map<String, CompletableFuture<Holder>> answers = new HashMap<>();

    private long sinceNanos; // guarded by this

    /** {@code root} is where everything lives. */
    public HolderLookup(CuratorStore store, String root, Clock clock) {
        this(store::isConnected, store::readAsync, Znodes.below(root, store, clock), clock);
    }

    /**
     * The same with other reads.
     *
     * @param connected whether ZooKeeper can be asked at all
     * @param read asks for a node, and does not wait; what it returns ends in any case
     * @param nodes where everything lives
     */
    HolderLookup(
            BooleanSupplier connected,
            Function<String, CompletableFuture<Optional<Store.Node>>> read,
            Znodes nodes,
            Clock clock) {
        this.connected = connected;
        this.read = read;
        this.nodes = nodes;
        this.clock = clock;
        this.sinceNanos = clock.nanos();
    }

    /** Who holds a slot of a scheme that has slots. */
    public Holder holder(Scheme<?> scheme, long slot) {
        if (!connected.getAsBoolean()) {
            return Holder.unknown("not connected to ZooKeeper");
        }
        CompletableFuture<Holder> told = askOrShare(nodes.tree().lease(Slot.of(scheme, slot)))
                .exceptionally(e -> Holder.unknown("ZooKeeper cannot be asked: "
                        + Objects.requireNonNullElse(e.getCause(), e).getMessage()));
        TimeLimit.set(PATIENCE, told, () -> told.complete(SILENT));
        return told.join();
    }

    /**
     * Shares the answer to the question that was asked a moment ago; else asks anew, unless that would be one question
     * too many.
     */
    private synchronized CompletableFuture<Holder> askOrShare(String path) {
        long nanos = clock.nanos();
        if (nanos - sinceNanos >= FRESH.toNanos()) {
            answers.clear();
            sinceNanos = nanos;
        }
        CompletableFuture<Holder> asked = answers.get(path);
        if (asked != null) {
            return asked;
        }
        if (answers.size() >= MOST_A_SECOND) {
            return ENOUGH;
        }
        if (!places.tryAcquire()) {
            return BUSY;
        }
        CompletableFuture<Holder> next = ask(path);
        answers.put(path, next);
        return next;
    }

    /**
     * Asks, and gives the place back with whatever answer comes, however late. Where asking fails, that is the answer.
     */
    private CompletableFuture<Holder> ask(String path) {
        return CompletableFuture.completedFuture(path)
                .thenCompose(read)
                .whenComplete((node, failure) -> places.release())
                .thenApply(node -> node.map(found -> Holder.of(nodes.found(path, found, LeaseNode.class)))
                        .orElse(Holder.nobody()));
    }
}
