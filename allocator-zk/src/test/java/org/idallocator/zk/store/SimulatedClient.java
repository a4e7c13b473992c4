package org.idallocator.zk.store;

import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;

/**
 * One client of a {@link SimulatedZooKeeper}, with the habits of the real one. The client reconnects by itself, on a
 * new session when the old one is gone. It repeats a question whose answer was lost, maybe on another session than that
 * of the first attempt. A transaction is never repeated: its caller then cannot tell.
 */
public final class SimulatedClient implements Store {
    private final SimulatedZooKeeper server;
    private Function<String, Fault> faults = call -> Fault.NONE;
    private boolean lagging;
    private Runnable between = () -> {};
    private Runnable answering = () -> {};
    private boolean together;
    private Runnable changed = () -> {};
    private Consumer<Runnable> delivery = Runnable::run;
    private Runnable sessionLost = () -> {};
    private final Runnable watch;
    private long session;
    private boolean connected = true;
    private boolean heldBack;
    private NavigableMap<String, Znode> view;

    /** What becomes of one call. */
    public enum Fault {
        /** The call is answered. */
        NONE,
        /** The call never arrives, and the caller cannot tell. */
        REQUEST_LOST,
        /** The call happens, and the caller cannot tell. */
        ANSWER_LOST,
        /**
         * The call happens, its answer is lost, and the client repeats a question: the caller gets the second answer.
         */
        REPEATED,
        /** The call never arrives, and the client repeats a question: the caller gets the second answer. */
        RESENT,
        /** The call never arrives, its session expires, and the client repeats a question on the next session. */
        RESENT_ON_NEXT_SESSION,
        /**
         * The call is still on its way when the client gives its session up for a new one. The old session, and the
         * request, live on for a while.
         */
        ABANDONED,
        /** The call happens, its answer is lost, and the client connects anew, where its credentials are refused. */
        REFUSED
    }

    public SimulatedClient(SimulatedZooKeeper server) {
        this(server, server.newSession());
    }

    private SimulatedClient(SimulatedZooKeeper server, long session) {
        this.server = server;
        this.watch = this::watchedChanged;
        this.session = session;
        this.view = server.tree();
    }

    /** The client of a process that was copied: on the same session. */
    public SimulatedClient copy() {
        return new SimulatedClient(server, session);
    }

    /**
     * Says what becomes of each call from now on. A call is named by what it does and where: {@code read /ids/meta}.
     */
    public SimulatedClient faults(Function<String, Fault> newFaults) {
        faults = newFaults;
        return this;
    }

    /** Says what becomes of the next call whose name contains this; all other calls are answered. */
    public void next(String name, Fault fault) {
        faults = call -> {
            if (!call.contains(name)) {
                return Fault.NONE;
            }
            faults = other -> Fault.NONE;
            return fault;
        };
    }

    /** Lets all calls be answered from now on. */
    public void answer() {
        faults = call -> Fault.NONE;
    }

    /** Runs a step before and after the effect of every attempt, where others may come between. */
    public void between(Runnable step) {
        between = step;
    }

    /** Runs a step before each answer. What is asked together is answered together. */
    public void answering(Runnable step) {
        answering = step;
    }

    /** The listener is called when a watched node changes. */
    public void onChange(Runnable listener) {
        changed = listener;
    }

    /** The client hears of changed nodes by this, sooner or later, or never. */
    public void delivery(Consumer<Runnable> news) {
        delivery = news;
    }

    /** The listener is called when the client learns that its session is gone. */
    public void onSessionLost(Runnable listener) {
        sessionLost = listener;
    }

    public void connected(boolean nowConnected) {
        connected = nowConnected;
    }

    /** Whether somebody keeps the client from connecting, whatever else happens. */
    public void heldBack(boolean nowHeldBack) {
        heldBack = nowHeldBack;
    }

    /** Whether this client's server falls behind from now on, until the client writes or syncs. */
    public void lagging(boolean nowLagging) {
        lagging = nowLagging;
    }

    private void catchUp() {
        view = server.tree();
    }

    @Override
    public Session session() {
        requireConnected("session");
        return new Session(session, server.sessionTimeout());
    }

    /** The session that the client believes in, connected or not. */
    public long believedSession() {
        return session;
    }

    @Override
    public Optional<Node> read(String path) {
        return call("read", path, on -> {
            Optional<Node> node = Optional.ofNullable(view.get(path)).map(Znode::seen);
            node.ifPresent(there -> server.allowReading(path));
            return node;
        });
    }

    @Override
    public List<Answer> readAll(List<String> paths) {
        return together(() -> Store.super.readAll(paths));
    }

    private <T> T together(Supplier<T> questions) {
        answering.run();
        together = true;
        try {
            return questions.get();
        } finally {
            together = false;
        }
    }

    /** Which transaction last wrote a node, as the client's server shows it. */
    public long lastWrite(String path) {
        return Objects.requireNonNull(view.get(path)).transaction();
    }

    @Override
    public List<String> children(String path) {
        return call("children", path, on -> SimulatedZooKeeper.childrenIn(view, path));
    }

    @Override
    public List<List<String>> childrenOfAll(List<String> paths) {
        return together(() -> Store.super.childrenOfAll(paths));
    }

    @Override
    public void ensure(String path) {
        call("ensure", path, on -> {
            server.ensure(path);
            catchUp();
            return path;
        });
    }

    @Override
    public Outcome.Sent send(Transaction transaction) {
        String path = transaction.path();
        answering.run();
        return switch (faults.apply("multi " + path)) {
            case NONE -> arrive(transaction);
            case REQUEST_LOST, RESENT -> {
                between.run();
                yield new Outcome.Unknown(lost(path));
            }
            case ANSWER_LOST, REPEATED -> {
                unheard(() -> arrive(transaction));
                yield new Outcome.Unknown(lost(path));
            }
            case RESENT_ON_NEXT_SESSION -> {
                server.expire(session);
                yield arrive(transaction);
            }
            case ABANDONED -> {
                requireSession(transaction);
                yield new Outcome.Unknown(abandoned(path, on -> server.commit(on, transaction.ops())));
            }
            case REFUSED -> {
                unheard(() -> arrive(transaction));
                yield new Outcome.Unknown(refused(path));
            }
        };
    }

    /** Nothing is sent without a connection, or on another session than that of the transaction. */
    private Outcome.Sent arrive(Transaction transaction) {
        String path = transaction.path();
        between.run();
        requireConnected(path);
        requireSession(transaction);
        if (!server.alive(session)) {
            renewSession();
            return new Outcome.Unknown(expired(path));
        }
        Outcome.Sent outcome = server.commit(session, transaction.ops());
        catchUp();
        between.run();
        return outcome;
    }

    private void requireSession(Transaction transaction) {
        Session on = transaction.on();
        if (on != null && on.id() != session) {
            throw new StoreException(
                    StoreException.Kind.NO_ANSWER, transaction.path() + ": another session serves than the one before");
        }
    }

    @Override
    public List<Long> takeIndexes(String parent, int count) {
        return together(
                () -> Stream.generate(() -> takeIndex(parent)).limit(count).toList());
    }

    private long takeIndex(String parent) {
        return call("index", parent, on -> {
            long index = server.takeIndex(parent);
            catchUp();
            return index;
        });
    }

    @Override
    public void sync(String path) {
        call("sync", path, on -> {
            catchUp();
            return path;
        });
    }

    @Override
    public void watch(List<String> paths) {
        var unused = together(() -> paths.stream().map(this::watch).toList());
    }

    private String watch(String path) {
        return call("watch", path, on -> {
            server.watch(path, watch);
            return path;
        });
    }

    private void watchedChanged() {
        delivery.accept(changed);
    }

    @Override
    public boolean worldMayWrite(String path) {
        return call("acl", path, on -> false);
    }

    private <T> T call(String name, String path, LongFunction<T> effect) {
        if (!together) {
            answering.run();
        }
        return switch (faults.apply(name + " " + path)) {
            case NONE -> attempt(path, effect, false);
            case REQUEST_LOST -> throw lost(path);
            case ANSWER_LOST -> {
                unheard(() -> attempt(path, effect, false));
                throw lost(path);
            }
            case REPEATED -> {
                unheard(() -> attempt(path, effect, false));
                yield attempt(path, effect, true);
            }
            case RESENT -> {
                between.run();
                yield attempt(path, effect, true);
            }
            case RESENT_ON_NEXT_SESSION -> {
                server.expire(session);
                yield attempt(path, effect, true);
            }
            case ABANDONED -> throw abandoned(path, effect);
            case REFUSED -> {
                unheard(() -> attempt(path, effect, false));
                throw refused(path);
            }
        };
    }

    /** Nobody hears of the answer. */
    private static void unheard(Runnable attempt) {
        try {
            attempt.run();
        } catch (StoreException | ChangedMeanwhileException e) {
            // nobody hears of this either
        }
    }

    /**
     * One attempt. When its session is gone, the client gets a new one; a repeated attempt is then made on that one.
     */
    private <T> T attempt(String path, LongFunction<T> effect, boolean repeated) {
        between.run();
        requireConnected(path);
        boolean gone = !server.alive(session);
        if (gone) {
            renewSession();
        }
        if (gone && !repeated) {
            throw expired(path);
        }
        if (!lagging) {
            catchUp();
        }
        T answer = effect.apply(session);
        between.run();
        return answer;
    }

    private <T> StoreException abandoned(String path, LongFunction<T> effect) {
        requireConnected(path);
        long old = session;
        server.send(() -> {
            if (server.alive(old)) {
                unheard(() -> {
                    var unused = effect.apply(old);
                });
            }
        });
        renewSession();
        return lost(path);
    }

    private void renewSession() {
        session = server.newSession();
        view = lagging ? server.history().get(0) : server.tree(); // on another server
        sessionLost.run();
    }

    private void requireConnected(String path) {
        if (!connected || heldBack || server.isAway()) {
            throw new StoreException(StoreException.Kind.NO_ANSWER, path + ": not connected to ZooKeeper");
        }
    }

    private static StoreException expired(String path) {
        return new StoreException(StoreException.Kind.NO_ANSWER, path + ": SESSIONEXPIRED");
    }

    private static StoreException refused(String path) {
        return new StoreException(StoreException.Kind.CREDENTIALS_REFUSED, path + ": AUTHFAILED");
    }

    private static StoreException lost(String path) {
        return new StoreException(StoreException.Kind.NO_ANSWER, path + ": CONNECTIONLOSS");
    }
}
