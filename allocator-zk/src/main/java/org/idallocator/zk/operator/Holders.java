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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.CuratorStore;
import org.idallocator.zk.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Tells who holds a slot, or at once that this is not known: nobody waits for longer than {@link #PATIENCE}, and nobody at all while
 * there is no connection, or while an earlier question is overdue. So an outage never makes callers queue up. An answer is told for
 * {@link #FRESH} after the question, to everybody who asks the same, also when it has come too late for the first one: where ZooKeeper
 * is further away than that, whoever asks a second time is told. Thread-safe.
 */
public final class Holders {
    static final Duration PATIENCE = Duration.ofMillis(5);
    static final Duration FRESH = Duration.ofSeconds(1);
    private static final int MOST = 1_024;

    private final BooleanSupplier connected;
    private final Function<String, CompletableFuture<Optional<String>>> read;
    private final Tree tree;
    private final Clock clock;
    private final AtomicInteger overdue = new AtomicInteger();
    private final Map<String, Question> questions = new LinkedHashMap<>(MOST, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Question> eldest) {
            return size() > MOST;
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

    /** Who holds a slot of a scheme that has slots. */
    public Holder holder(Scheme<?> scheme, long slot) {
        if (!connected.getAsBoolean()) {
            return Holder.unknown("not connected to ZooKeeper");
        }
        Question question = question(tree.lease(Slot.of(scheme, slot)));
        return question == null ? silent() : answer(question.answer());
    }

    /** The question that was asked a moment ago, or a new one; null where that would be one too many. */
    private synchronized @Nullable Question question(String path) {
        Question last = questions.get(path);
        if (last != null && clock.nanos() - last.askedNanos() < FRESH.toNanos()) {
            return last;
        }
        if (overdue.get() > 0) {
            return null;
        }
        Question next = new Question(
                read.apply(path)
                        .thenApply(
                                node -> node.map(data -> Holder.of(path, data)).orElse(Holder.NOBODY)),
                clock.nanos());
        questions.put(path, next);
        return next;
    }

    private Holder answer(CompletableFuture<Holder> answer) {
        if (overdue.get() > 0 && !answer.isDone()) {
            return silent();
        }
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            overdue.incrementAndGet();
            var unused = answer.whenComplete((holder, failure) -> overdue.decrementAndGet());
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
        return Holder.unknown("ZooKeeper did not answer within " + PATIENCE.toMillis() + " ms; ask again");
    }
}
