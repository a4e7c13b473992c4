package org.idallocator.zk.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * ZooKeeper in memory, as far as leases see it: a tree of nodes with versions and owners, transactions that happen as a
 * whole or not at all, sessions, watches, the numbers of sequential nodes, and a leader's wall clock that stamps every
 * write.
 *
 * <p>Every transaction makes a new, immutable tree. A client looks at the tree that its server has applied so far: any
 * tree from the client's own last write on. So its reads may be stale until it writes or calls {@code sync}.
 *
 * <p>What goes wrong is up to the test. {@link SimulatedClient} loses, repeats and abandons calls; {@link #expire} ends
 * a session; {@link #delete} and {@link #set} are what an operator does by hand. Not thread-safe: tests use it from one
 * thread at a time.
 */
public final class SimulatedZooKeeper {
    private static final int TREES_KEPT = 12;

    private final LongSupplier leaderMillis;
    private final Duration sessionTimeout;
    private final Set<Long> sessions = new LinkedHashSet<>();
    private final Map<String, Set<Runnable>> watches = new LinkedHashMap<>();
    private final Deque<NavigableMap<String, Znode>> history = new ArrayDeque<>();
    private final List<Runnable> onTheWay = new ArrayList<>();
    private NavigableMap<String, Znode> tree = new TreeMap<>(Map.of("", Znode.parent()));
    private Predicate<String> forbidden = path -> false;
    private Predicate<String> hidden = path -> false;
    private WriteListener listener = (path, data, created) -> {};
    private CommitListener commits = ops -> {};
    private boolean away;
    private long lastSession = 0x1000;
    private long transactions;

    public SimulatedZooKeeper(LongSupplier leaderMillis, Duration sessionTimeout) {
        this.leaderMillis = leaderMillis;
        this.sessionTimeout = sessionTimeout;
        history.add(tree);
    }

    /** A node; {@code sequence} numbers its sequential children. */
    public record Znode(
            String data,
            int version,
            long owner,
            long sequence,
            boolean childrenDeleted,
            long leaderMillis,
            long transaction) {
        public static Znode parent() {
            return new Znode("", 0, 0, 0, false, 0, 0);
        }

        public Znode with(String newData, long newLeaderMillis, long newTransaction) {
            return new Znode(newData, version + 1, owner, sequence, childrenDeleted, newLeaderMillis, newTransaction);
        }

        private Znode withSequence(long next) {
            return new Znode(data, version, owner, next, childrenDeleted, leaderMillis, transaction);
        }

        public Znode withChildDeleted() {
            return new Znode(data, version, owner, sequence, true, leaderMillis, transaction);
        }

        public Store.Node seen() {
            return new Store.Node(data, version, owner, childrenDeleted, leaderMillis);
        }
    }

    /** Hears of every payload that is written, in order. */
    @FunctionalInterface
    public interface WriteListener {
        void written(String path, String data, boolean created);
    }

    public void onWrite(WriteListener newListener) {
        listener = newListener;
    }

    /** Hears of everything that has changed the tree, when it has. */
    @FunctionalInterface
    public interface CommitListener {
        /** {@code ops} are those of the transaction; none where something else has changed the tree. */
        void committed(List<Store.Op> ops);
    }

    public void onCommit(CommitListener newListener) {
        commits = newListener;
    }

    /** Refuses writes to these paths from now on. */
    public void forbid(Predicate<String> paths) {
        forbidden = paths;
    }

    /** Lets nobody read these nodes from now on, where they exist. Who may list their parents sees their names. */
    public void hide(Predicate<String> paths) {
        hidden = paths;
    }

    /** Whether all servers are stopped: connections end with them, and whatever is on its way is lost. */
    public void away(boolean nowAway) {
        away = nowAway;
        onTheWay.clear();
    }

    public boolean isAway() {
        return away;
    }

    void allowReading(String path) {
        if (hidden.test(path)) {
            throw new StoreException(StoreException.Kind.NO_PERMISSION, path + ": NOAUTH");
        }
    }

    public SimulatedClient connect() {
        return new SimulatedClient(this);
    }

    public Duration sessionTimeout() {
        return sessionTimeout;
    }

    public long newSession() {
        lastSession++;
        sessions.add(lastSession);
        return lastSession;
    }

    public boolean alive(long session) {
        return sessions.contains(session);
    }

    public List<Long> sessions() {
        return List.copyOf(sessions);
    }

    /** Ends a session, as the server does by itself: the session's EPHEMERAL nodes go, and its client does not know. */
    public void expire(long session) {
        sessions.remove(session);
        List<String> gone = tree.entrySet().stream()
                .filter(node -> node.getValue().owner() == session)
                .map(Map.Entry::getKey)
                .toList();
        if (!gone.isEmpty()) {
            NavigableMap<String, Znode> next = new TreeMap<>(tree);
            gone.forEach(each -> remove(next, each));
            change(next, gone);
        }
    }

    /** Takes a request that is late. */
    public void send(Runnable request) {
        onTheWay.add(request);
    }

    /** Requests that are still on their way. */
    public List<Runnable> onTheWay() {
        return onTheWay;
    }

    /** How many transactions have changed something. */
    public long transactions() {
        return transactions;
    }

    public NavigableMap<String, Znode> tree() {
        return tree;
    }

    /** Trees that a server which is behind may still show, oldest first; the last is the latest. */
    public List<NavigableMap<String, Znode>> history() {
        return List.copyOf(history);
    }

    /** What an operator would see. */
    public Optional<Store.Node> node(String path) {
        return Optional.ofNullable(tree.get(path)).map(Znode::seen);
    }

    public List<String> children(String path) {
        return childrenIn(tree, path);
    }

    public static List<String> childrenIn(NavigableMap<String, Znode> tree, String path) {
        String prefix = path + "/";
        return tree.subMap(prefix, false, path + "0", false).keySet().stream() // '0' follows '/'
                .map(child -> child.substring(prefix.length()))
                .filter(name -> name.indexOf('/') < 0)
                .toList();
    }

    /** An operator's {@code deleteall}. */
    public void delete(String path) {
        List<String> gone = tree.keySet().stream()
                .filter(name -> name.equals(path) || name.startsWith(path + "/"))
                .toList();
        NavigableMap<String, Znode> next = new TreeMap<>(tree);
        gone.forEach(each -> remove(next, each));
        change(next, gone);
    }

    /** An operator's {@code set}. */
    public void set(String path, String data) {
        commitAll(0, List.of(Store.Op.Write.whateverVersion(path, data)));
    }

    /** An operator's {@code create}; {@code owner} 0 makes it PERSISTENT. */
    public void create(String path, String data, long owner) {
        commitAll(owner, List.of(new Store.Op.Create(path, data, owner != 0)));
    }

    /** Brings a backup back: everything is as it was in this tree. All sessions live on. */
    public void restore(NavigableMap<String, Znode> backup) {
        change(backup, List.of());
    }

    /** The same, but only these sessions live on. */
    public void restore(NavigableMap<String, Znode> backup, List<Long> living) {
        NavigableMap<String, Znode> next = new TreeMap<>(backup);
        next.values().removeIf(node -> node.owner() != 0 && !living.contains(node.owner()));
        sessions.clear();
        sessions.addAll(living);
        change(next, List.of());
        forgetHistory();
    }

    /** From now on every server shows the present alone. */
    public void forgetHistory() {
        history.clear();
        history.add(tree);
    }

    /** An operator's {@code delete}. Does nothing where there is no such node, or it has children. */
    public void deleteNode(String path) {
        if (tree.containsKey(path) && children(path).isEmpty()) {
            delete(path);
        }
    }

    public void watch(String path, Runnable changed) {
        watches.computeIfAbsent(path, p -> new LinkedHashSet<>()).add(changed);
    }

    public void ensure(String path) {
        allow(path);
        NavigableMap<String, Znode> next = new TreeMap<>(tree);
        List<String> made = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            make(next, path.substring(0, slash), made);
        }
        make(next, path, made);
        if (!made.isEmpty()) {
            change(next, made);
        }
    }

    private static void make(NavigableMap<String, Znode> next, String path, List<String> made) {
        if (next.putIfAbsent(path, Znode.parent()) == null) {
            made.add(path);
        }
    }

    /** Takes the number of a sequential child, which is deleted at once. */
    public long takeIndex(String parent) {
        allow(parent + "/n-");
        Znode node = tree.get(parent);
        if (node == null) {
            throw new ChangedMeanwhileException(parent + " is gone");
        }
        NavigableMap<String, Znode> next = new TreeMap<>(tree);
        next.put(parent, node.withSequence(node.sequence() + 1).withChildDeleted());
        change(next, List.of());
        return node.sequence();
    }

    /** The same; throws where an operation does not fit. */
    public List<Store.Written> commitAll(long session, List<Store.Op> ops) {
        Outcome.Sent outcome = commit(session, ops);
        String what = outcome instanceof Outcome.NotApplied refused
                ? ops.get(refused.op()).path() + ": " + refused.why()
                : "";
        return outcome.confirmedOrChanged(what).written();
    }

    /** Applies all operations or none, for a session that the caller knows to be alive. */
    public Outcome.Sent commit(long session, List<Store.Op> ops) {
        NavigableMap<String, Znode> next = new TreeMap<>(tree);
        List<Store.Written> written = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            Store.Op op = ops.get(i);
            try {
                apply(next, session, op);
            } catch (MisfitException e) {
                return new Outcome.NotApplied(i, e.why);
            } catch (StoreException e) {
                return new Outcome.Forbidden(i, e);
            }
            if (op instanceof Store.Op.Write) {
                written.add(new Store.Written(node(next, op.path()).version(), leaderMillis.getAsLong()));
            }
            if (!(op instanceof Store.Op.Check)) {
                changed.add(op.path());
            }
        }
        commit(next, changed);
        commits.committed(ops);
        ops.forEach(this::tell);
        return new Outcome.Confirmed(written);
    }

    /** An operation does not fit what is there. */
    private static final class MisfitException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Outcome.Misfit why;

        MisfitException(Outcome.Misfit why) {
            super(why.toString(), null, false, false);
            this.why = why;
        }
    }

    /** Tells what the transaction has left: a node that it made and deleted again was never there. */
    private void tell(Store.Op op) {
        if (op instanceof Store.Op.Write write) {
            listener.written(write.path(), write.data(), false);
        } else if (op instanceof Store.Op.Create create && tree.containsKey(create.path())) {
            listener.written(create.path(), create.data(), true);
        }
    }

    private void apply(NavigableMap<String, Znode> next, long session, Store.Op op) {
        if (op instanceof Store.Op.Check check) {
            require(node(next, check.path()), check.version());
            return;
        }
        allow(op.path());
        if (op instanceof Store.Op.Create create) {
            create(next, session, create);
        } else if (op instanceof Store.Op.Write write) {
            Znode node = node(next, write.path());
            require(node, write.version());
            next.put(write.path(), node.with(write.data(), leaderMillis.getAsLong(), transactions + 1));
        } else if (op instanceof Store.Op.Delete delete) {
            require(node(next, delete.path()), delete.version());
            if (!childrenIn(next, delete.path()).isEmpty()) {
                throw new MisfitException(Outcome.Misfit.CHILDREN);
            }
            remove(next, delete.path());
        }
    }

    private void create(NavigableMap<String, Znode> next, long session, Store.Op.Create create) {
        node(next, create.path().substring(0, create.path().lastIndexOf('/')));
        long owner = create.ephemeral() ? session : 0;
        Znode made = new Znode(create.data(), 0, owner, 0, false, leaderMillis.getAsLong(), transactions + 1);
        if (next.putIfAbsent(create.path(), made) != null) {
            throw new MisfitException(Outcome.Misfit.EXISTS);
        }
    }

    private static Znode node(NavigableMap<String, Znode> next, String path) {
        Znode node = next.get(path);
        if (node == null) {
            throw new MisfitException(Outcome.Misfit.MISSING);
        }
        return node;
    }

    /** Versions alone are compared: a node that was deleted and made again passes as itself. */
    private static void require(Znode node, OptionalInt version) {
        if (version.isPresent() && version.getAsInt() != node.version()) {
            throw new MisfitException(Outcome.Misfit.VERSION);
        }
    }

    private void allow(String path) {
        if (forbidden.test(path)) {
            throw new StoreException(StoreException.Kind.NO_PERMISSION, path + ": NOAUTH");
        }
    }

    /** Removes a node. Its parent, if that stays, remembers that a child was deleted. */
    private static void remove(NavigableMap<String, Znode> next, String path) {
        next.remove(path);
        int slash = path.lastIndexOf('/');
        if (slash >= 0) {
            next.computeIfPresent(path.substring(0, slash), (parent, node) -> node.withChildDeleted());
        }
    }

    private void change(NavigableMap<String, Znode> next, List<String> changed) {
        commit(next, changed);
        commits.committed(List.of());
    }

    private void commit(NavigableMap<String, Znode> next, List<String> changed) {
        tree = Collections.unmodifiableNavigableMap(next);
        transactions++;
        history.addLast(tree);
        if (history.size() > TREES_KEPT) {
            history.removeFirst();
        }
        changed.forEach(this::fire);
    }

    private void fire(String path) {
        Set<Runnable> fired = watches.remove(path);
        if (fired != null) {
            fired.forEach(Runnable::run);
        }
    }
}
