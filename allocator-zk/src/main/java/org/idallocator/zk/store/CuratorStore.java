package org.idallocator.zk.store;

import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.Backgroundable;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.api.Pathable;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** {@link Store} on a started Curator client. */
public final class CuratorStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorStore.class);
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final int AT_ONCE = 256; // a server refuses more than 1,000 of all its clients
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int ANY_VERSION = -1; // as ZooKeeper's client has it

    private final CuratorFramework curator;
    private final CuratorWatcher watcher;
    private final ClientTrouble trouble;
    private final int patienceMillis;

    private CuratorStore(CuratorFramework curator, ClientTrouble trouble, Runnable changed, int patienceMillis) {
        this.curator = curator;
        this.trouble = trouble;
        this.watcher = event -> changed.run();
        this.patienceMillis = patienceMillis;
    }

    /**
     * A store for the lease loop, which has deadlines of its own: without a connection, every call fails at once.
     *
     * @param settings those of the client
     * @param clock tells when a client whose credentials were refused tries again
     * @param changed called on an event thread when a watched node changes
     */
    public static CuratorStore failFast(
            CuratorFramework curator, ZooKeeperSettings settings, Clock clock, Runnable changed) {
        return new CuratorStore(curator, new ClientTrouble(settings, clock, Level.WARN), changed, 0);
    }

    /** A store for people's questions. A call waits up to 3 s for a connection, and nobody hears of watched nodes. */
    public static CuratorStore waiting(CuratorFramework curator, ZooKeeperSettings settings) {
        ClientTrouble trouble = new ClientTrouble(settings, Clock.system(), Level.DEBUG); // whoever asks is told
        return new CuratorStore(curator, trouble, () -> {}, PATIENCE_MILLIS);
    }

    @Override
    public Session session() {
        return call("session", () -> {
            ZooKeeper handle = zookeeper();
            return new Session(handle.getSessionId(), Duration.ofMillis(handle.getSessionTimeout()));
        });
    }

    @Override
    public Optional<Node> read(String path) {
        return call(path, Optional.empty(), () -> {
            Stat stat = new Stat();
            byte[] data = curator.getData().storingStatIn(stat).forPath(path);
            return Optional.of(node(data, stat));
        });
    }

    /** A node as ZooKeeper gave it. */
    private static Node node(byte @Nullable [] data, Stat stat) {
        return new Node(
                data == null ? "" : new String(data, StandardCharsets.UTF_8),
                stat.getVersion(),
                stat.getEphemeralOwner(),
                stat.getCversion() > stat.getNumChildren(), // it counts children made and deleted
                stat.getMtime());
    }

    /**
     * Asks for a node and returns at once, also without a connection. The future ends with the node, or with a
     * {@link StoreException} or a {@link java.util.concurrent.TimeoutException}, within two seconds.
     */
    public CompletableFuture<Optional<Node>> readAsync(String path) {
        return ask(curator.getData(), path).thenApply(event -> {
            Code code = Code.get(event.getResultCode());
            return switch (code) {
                case OK -> Optional.of(node(event.getData(), event.getStat()));
                case NONODE -> Optional.empty();
                default -> throw failed(path, KeeperException.create(code, path));
            };
        });
    }

    private static CompletableFuture<CuratorEvent> ask(Backgroundable<? extends Pathable<?>> what, String path) {
        return ask(path, callback -> what.inBackground(callback).forPath(path));
    }

    /** Something that is asked in background. */
    private interface Question {
        void send(BackgroundCallback callback) throws Exception;
    }

    /** Curator may never tell, where the credentials are refused after the question. */
    private static CompletableFuture<CuratorEvent> ask(String path, Question question) {
        CompletableFuture<CuratorEvent> answer = new CompletableFuture<>();
        try {
            question.send((client, event) -> answer.complete(event));
        } catch (Exception e) {
            answer.completeExceptionally(noAnswer(path, e));
        }
        TimeLimit.set(ANSWER, answer, () -> answer.completeExceptionally(new TimeoutException()));
        return answer;
    }

    /**
     * Asks for many nodes before the first answer is there, so that they take about as long as one. Where an answer
     * does not come, as when the connection breaks meanwhile, that node is asked for again by itself, with Curator's
     * patience and errors.
     */
    @Override
    public List<Answer> readAll(List<String> paths) {
        List<Answer> answers = new ArrayList<>();
        for (List<String> some : Lists.partition(paths, AT_ONCE)) {
            List<CompletableFuture<Optional<Node>>> asked =
                    call(some.get(0), () -> some.stream().map(this::readAsync).toList());
            for (int i = 0; i < some.size(); i++) {
                String path = some.get(i);
                CompletableFuture<Optional<Node>> answer = asked.get(i);
                answers.add(Answer.of(path, () -> answer(path, answer)));
            }
        }
        return answers;
    }

    private Optional<Node> answer(String path, CompletableFuture<Optional<Node>> asked) {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException why && why.kind() == StoreException.Kind.NO_PERMISSION) {
                throw why; // asked again, it would say the same
            }
            LOG.debug("{} is asked for by itself", path, e);
            return read(path);
        } catch (InterruptedException e) {
            throw interrupted(path, e);
        }
    }

    @Override
    public List<String> children(String path) {
        return call(path, List.of(), () -> curator.getChildren().forPath(path));
    }

    @Override
    public List<List<String>> childrenOfAll(List<String> paths) {
        if (paths.isEmpty()) {
            return List.of();
        }
        List<CompletableFuture<CuratorEvent>> asked = call(
                paths.get(0),
                () -> paths.stream()
                        .map(path -> ask(curator.getChildren(), path))
                        .toList());
        List<List<String>> children = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get(i);
            CompletableFuture<CuratorEvent> answer = asked.get(i);
            children.add(call(path, () -> names(path, answer)));
        }
        return children;
    }

    private List<String> names(String path, CompletableFuture<CuratorEvent> asked) throws Exception {
        List<String> names = requireAnswer("the children", path, asked, Set.of(Code.OK, Code.NONODE))
                .getChildren();
        return names == null ? List.of() : names;
    }

    @Override
    public void ensure(String path) {
        call(path, () -> {
            try {
                if (curator.checkExists().forPath(path) == null) {
                    curator.create().creatingParentsIfNeeded().forPath(path, new byte[0]);
                }
            } catch (KeeperException.NodeExistsException e) {
                return path; // another replica was first
            } catch (KeeperException.NoNodeException e) {
                throw new StoreException(
                        StoreException.Kind.NO_CHROOT, "create the chroot of zookeeper.connect before " + path, e);
            }
            return path;
        });
    }

    /**
     * Goes by ZooKeeper's own client, which never sends anything twice: all that is queued or under way fails when a
     * connection breaks. It has one session for its whole life. Curator would repeat the transaction, and on a session
     * that came later, too.
     */
    @Override
    public Outcome.Sent send(Transaction transaction) {
        String path = transaction.path();
        List<org.apache.zookeeper.Op> ops = call(
                path,
                () -> translated(transaction.ops()).stream().map(CuratorOp::get).toList());
        ZooKeeper handle = call(path, () -> handleOn(transaction.on()));
        try {
            return new Outcome.Confirmed(written(handle.multi(ops)));
        } catch (KeeperException e) {
            return refusal(path, e).orElseGet(() -> new Outcome.Unknown(failed(path, e)));
        } catch (InterruptedException e) { // what is queued may be sent yet
            return new Outcome.Unknown(interrupted(path, e));
        }
    }

    private ZooKeeper handleOn(@Nullable Session session) throws Exception {
        ZooKeeper handle = zookeeper();
        if (session != null && handle.getSessionId() != session.id()) {
            throw StoreException.anotherSession();
        }
        return handle;
    }

    private static List<Written> written(List<OpResult> results) {
        return results.stream()
                .filter(OpResult.SetDataResult.class::isInstance)
                .map(result -> ((OpResult.SetDataResult) result).getStat())
                .map(stat -> new Written(stat.getVersion(), stat.getMtime()))
                .toList();
    }

    /**
     * What ZooKeeper's leader refused. It then gives a result for each operation: those before the culprit are OK, and
     * those after it were not looked at. Empty where there are none, or where a code is none that is known to be the
     * leader's own refusal.
     */
    private Optional<Outcome.Sent> refusal(String path, KeeperException e) {
        List<OpResult> results = e.getResults();
        if (results == null) {
            return Optional.empty();
        }
        LOG.debug("a transaction was refused", e);
        int culprit = Iterables.indexOf(
                results, result -> result instanceof OpResult.ErrorResult error && error.getErr() != 0);
        StoreException trouble = failed(path, e);
        if (trouble.kind() == StoreException.Kind.NO_PERMISSION) {
            return Optional.of(new Outcome.Forbidden(culprit, trouble));
        }
        return Outcome.Misfit.of(e.code()).map(why -> new Outcome.NotApplied(culprit, why));
    }

    private List<CuratorOp> translated(List<Op> ops) throws Exception {
        List<CuratorOp> translated = new ArrayList<>();
        for (Op op : ops) {
            translated.add(translate(op));
        }
        return translated;
    }

    private CuratorOp translate(Op op) throws Exception {
        if (op instanceof Op.Check check) {
            return curator.transactionOp()
                    .check()
                    .withVersion(check.version().orElse(ANY_VERSION))
                    .forPath(check.path());
        }
        if (op instanceof Op.Create create) {
            CreateMode mode = create.ephemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
            return curator.transactionOp()
                    .create()
                    .withMode(mode)
                    .forPath(create.path(), create.data().getBytes(StandardCharsets.UTF_8));
        }
        if (op instanceof Op.Write write) {
            return curator.transactionOp()
                    .setData()
                    .withVersion(write.version().orElse(ANY_VERSION))
                    .forPath(write.path(), write.data().getBytes(StandardCharsets.UTF_8));
        }
        Op.Delete delete = (Op.Delete) op;
        return curator.transactionOp()
                .delete()
                .withVersion(delete.version().orElse(ANY_VERSION))
                .forPath(delete.path());
    }

    @Override
    public List<Long> takeIndexes(String parent, int count) {
        Question question = callback -> curator.create()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .inBackground(callback)
                .forPath(parent + "/n-");
        List<CompletableFuture<CuratorEvent>> asked = call(
                parent,
                () -> Stream.generate(() -> ask(parent, question)).limit(count).toList());
        return asked.stream()
                .map(answer -> call(parent, () -> number(parent, answer)))
                .toList();
    }

    private long number(String parent, CompletableFuture<CuratorEvent> asked) throws Exception {
        CuratorEvent made = requireAnswer("a number", parent, asked, Set.of(Code.OK, Code.NONODE));
        if (Code.get(made.getResultCode()) == Code.NONODE) {
            throw new ChangedMeanwhileException(parent + " is gone");
        }
        curator.delete().guaranteed().inBackground().forPath(made.getName());
        return Long.parseLong(made.getName().substring(made.getName().lastIndexOf('-') + 1));
    }

    @Override
    public void sync(String path) {
        call(path, () -> requireAnswer("a sync", path, ask(curator.sync(), path), Set.of(Code.OK)));
    }

    /** Waits for an answer, which must be one of these. */
    private CuratorEvent requireAnswer(String what, String path, CompletableFuture<CuratorEvent> asked, Set<Code> good)
            throws Exception {
        try {
            CuratorEvent answer = asked.get();
            Code code = Code.get(answer.getResultCode());
            if (!good.contains(code)) {
                throw KeeperException.create(code, path);
            }
            return answer;
        } catch (ExecutionException e) {
            throw isRefused()
                    ? trouble.refused(e)
                    : new StoreException(
                            StoreException.Kind.NO_ANSWER, "ZooKeeper did not answer " + what + " of " + path, e);
        }
    }

    @Override
    public void watch(List<String> paths) {
        for (List<String> some : Lists.partition(paths, AT_ONCE)) {
            call(some.get(0), () -> {
                List<CompletableFuture<CuratorEvent>> asked = some.stream()
                        .map(path -> ask(curator.checkExists().usingWatcher(watcher), path))
                        .toList();
                for (int i = 0; i < some.size(); i++) {
                    var unused = requireAnswer("a watch", some.get(i), asked.get(i), Set.of(Code.OK, Code.NONODE));
                }
                return some;
            });
        }
    }

    @Override
    public boolean worldMayWrite(String path) {
        return call(
                path,
                () -> curator.getACL().forPath(path).stream()
                        .anyMatch(entry -> entry.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE)
                                && (entry.getPerms() & ~ZooDefs.Perms.READ) != 0));
    }

    /** Whether there is a connection, as far as the client knows. */
    public boolean isConnected() {
        return curator.getZookeeperClient().isConnected();
    }

    /**
     * Waits for a connection, and throws where there is none. A client whose credentials were refused is made to try
     * again when it has a turn. Otherwise more is found out about why there is none.
     */
    private void awaitConnection() throws Exception {
        trouble.requireLogin();
        if (isConnected()) {
            trouble.forget();
        } else if (isRefused()) {
            if (trouble.takeTry()) {
                curator.getZookeeperClient().reset();
            }
            throw trouble.refused(null);
        } else if (patienceMillis == 0 || !curator.blockUntilConnected(patienceMillis, TimeUnit.MILLISECONDS)) {
            trouble.findOutSoon();
            throw trouble.notConnected();
        }
    }

    private boolean isRefused() throws Exception {
        return zookeeper().getState() == ZooKeeper.States.AUTH_FAILED;
    }

    private ZooKeeper zookeeper() throws Exception {
        return curator.getZookeeperClient().getZooKeeper();
    }

    private <T> T call(String path, T whereThereIsNoNode, Callable<T> operation) {
        return call(path, () -> {
            try {
                return operation.call();
            } catch (KeeperException.NoNodeException e) {
                return whereThereIsNoNode;
            }
        });
    }

    private <T> T call(String path, Callable<T> operation) {
        try {
            awaitConnection();
            return operation.call();
        } catch (KeeperException e) {
            throw failed(path, e);
        } catch (StoreException | ChangedMeanwhileException e) {
            throw e;
        } catch (InterruptedException e) {
            throw interrupted(path, e);
        } catch (Exception e) {
            throw noAnswer(path, e);
        }
    }

    /**
     * Whatever else a client throws: ZooKeeper has given no answer. Curator declares every exception. ZooKeeper's
     * client throws a {@link RuntimeException} where its properties cannot be read, and for an answer that it does not
     * know, as of a later server. So none of them tells that this program is wrong.
     */
    private static StoreException noAnswer(String path, Exception e) {
        return new StoreException(StoreException.Kind.NO_ANSWER, path + ": " + e, e);
    }

    private static StoreException interrupted(String path, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new StoreException(StoreException.Kind.NO_ANSWER, path + ": interrupted", e);
    }

    private StoreException failed(String path, KeeperException e) {
        String told = path + ": " + e.code();
        return switch (e.code()) {
            case NOAUTH -> new StoreException(StoreException.Kind.NO_PERMISSION, told, e);
            case INVALIDACL -> // what is made belongs to who makes it, and that is nobody
                new StoreException(
                        StoreException.Kind.NO_PERMISSION,
                        path + ": ZooKeeper does not know who this client is, although it should have shown the "
                                + trouble.credentials(),
                        e);
            case AUTHFAILED -> trouble.refused(e);
            default -> new StoreException(StoreException.Kind.NO_ANSWER, told, e);
        };
    }
}
