package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.CuratorStore;
import org.idallocator.zk.store.Store;

/**
 * Tells who holds a slot, or at once that this is not known: nobody waits for longer than {@link #PATIENCE}, and nobody at all while
 * there is no connection, or while an earlier question is overdue. So an outage never makes callers queue up. An answer is told for
 * {@link #FRESH} after the question, to everybody who asks the same, also when it has come too late for the first one: where ZooKeeper
 * is further away than that, whoever asks a second time is told. Thread-safe.
 */
public final class Holders {
    static final Duration PATIENCE = Duration.ofMillis(5);
    static final Duration FRESH = Duration.ofSeconds(1);

    private static final CompletableFuture<Holder> SILENT = CompletableFuture.completedFuture(
            Holder.unknown("ZooKeeper did not answer within " + PATIENCE.toMillis() + " ms; ask again"));

    private final BooleanSupplier connected;
    private final Function<String, CompletableFuture<Optional<String>>> read;
    private final Tree tree;
    private final Clock clock;
    private volatile CompletableFuture<Holder> overdue = SILENT;

    /** In the order in which they were asked. Each new question drops the oldest one that nobody is told any more. */
    private final Map<String, Question> questions = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Question> eldest) {
            return !isFresh(eldest.getValue());
        }
    };

    /** {@code root} is where everything lives. */
    public Holders(CuratorStore store, String root, Clock clock) {
        this(
                store::isConnected,
                path -> store.readAsync(path).thenApply(node -> node.map(Store.Node::data)),
                root,
                clock);
    }

    /**
     * The same with other reads.
     *
     * @param connected whether ZooKeeper can be asked at all
     * @param read asks for what a node holds, and does not wait
     * @param root where everything lives
     */
    Holders(
            BooleanSupplier connected,
            Function<String, CompletableFuture<Optional<String>>> read,
            String root,
            Clock clock) {
        this.connected = connected;
        this.read = read;
        this.tree = new Tree(root);
        this.clock = clock;
    }

    /** What ZooKeeper was asked, and when. */
    private record Question(CompletableFuture<Holder> answer, long askedNanos) {}

    private boolean isFresh(Question question) {
        return clock.nanos() - question.askedNanos() < FRESH.toNanos();
    }

    /** Who holds a slot of a scheme that has slots. */
    public Holder holder(Scheme<?> scheme, long slot) {
        if (!connected.getAsBoolean()) {
            return Holder.unknown("not connected to ZooKeeper");
        }
        CompletableFuture<Holder> answer = answer(tree.lease(Slot.of(scheme, slot)));
        try {
            return answer.get(overdue.isDone() ? PATIENCE.toMillis() : 0, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            overdue = answer;
            return SILENT.join();
        } catch (ExecutionException e) {
            return Holder.unknown("ZooKeeper cannot be asked: "
                    + Objects.requireNonNullElse(e.getCause(), e).getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Holder.unknown("the question was interrupted");
        }
    }

    /** The answer to the question that was asked a moment ago, or to a new one; silence where that would be one too many. */
    private synchronized CompletableFuture<Holder> answer(String path) {
        Question last = questions.get(path);
        if (last != null && isFresh(last)) {
            return last.answer();
        }
        if (!overdue.isDone()) {
            return SILENT;
        }
        CompletableFuture<Holder> next = read.apply(path)
                .thenApply(node -> node.map(data -> Holder.of(path, data)).orElse(Holder.NOBODY));
        questions.remove(path);
        questions.put(path, new Question(next, clock.nanos()));
        return next;
    }
}
