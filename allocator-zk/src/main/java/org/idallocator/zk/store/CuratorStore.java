package org.idallocator.zk.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.CuratorTransactionResult;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Store} on a started Curator client. */
public final class CuratorStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorStore.class);
    private static final long SYNC_SECONDS = 2;
    private static final long ANSWER_SECONDS = 2;
    private static final int AT_ONCE = 256; // a server refuses more than 1,000 of all its clients
    private static final int PATIENCE_MILLIS = 3_000;

    private final CuratorFramework curator;
    private final Reads reads;
    private final Acls acls;
    private final CuratorWatcher watcher;

    private final int patienceMillis;
    private final Refusal refusal;
    private final NoConnection noConnection;

    private CuratorStore(
            CuratorFramework curator, ZooKeeperSettings settings, Clock clock, Runnable changed, int patienceMillis) {
        this.curator = curator;
        this.reads = new Reads(curator);
        this.acls = new Acls(curator, settings);
        this.refusal = new Refusal(settings, clock);
        this.noConnection = new NoConnection(settings, clock);
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
    public static CuratorStore impatient(
            CuratorFramework curator, ZooKeeperSettings settings, Clock clock, Runnable changed) {
        return new CuratorStore(curator, settings, clock, changed, 0);
    }

    /** A store for people's questions. A call waits up to 3 s for a connection, and nobody hears of watched nodes. */
    public static CuratorStore patient(CuratorFramework curator, ZooKeeperSettings settings) {
        return new CuratorStore(curator, settings, Clock.system(), () -> {}, PATIENCE_MILLIS);
    }

    @Override
    public long session() {
        return call("session", () -> curator.getZookeeperClient().getZooKeeper().getSessionId());
    }

    @Override
    public Duration sessionTimeout() {
        return call(
                "session",
                () -> Duration.ofMillis(
                        curator.getZookeeperClient().getZooKeeper().getSessionTimeout()));
    }

    @Override
    public Optional<Node> read(String path) {
        return call(path, () -> {
            try {
                Stat stat = new Stat();
                byte[] data = curator.getData().storingStatIn(stat).forPath(path);
                return Optional.of(Reads.node(data, stat));
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
    }

    /**
     * Asks for many nodes before the first answer is there, so that they take about as long as one. Where an answer does not
     * come, as when the connection breaks meanwhile, that node is asked for again by itself, with Curator's patience and errors.
     */
    @Override
    public List<Optional<Node>> readAll(List<String> paths) {
        List<Optional<Node>> nodes = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += AT_ONCE) {
            List<String> some = paths.subList(from, Math.min(from + AT_ONCE, paths.size()));
            List<CompletableFuture<Optional<Node>>> asked =
                    call(some.get(0), () -> some.stream().map(reads::node).toList());
            for (int i = 0; i < some.size(); i++) {
                nodes.add(answer(some.get(i), asked.get(i)));
            }
        }
        return nodes;
    }

    private Optional<Node> answer(String path, CompletableFuture<Optional<Node>> asked) {
        try {
            return asked.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("{} is asked for by itself", path, e);
            return read(path);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNCERTAIN, path + ": interrupted", e);
        }
    }

    @Override
    public List<String> children(String path) {
        return call(path, () -> {
            try {
                return curator.getChildren().forPath(path);
            } catch (KeeperException.NoNodeException e) {
                return List.of();
            }
        });
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

    @Override
    public List<Written> multi(List<Op> ops) {
        return call(ops.get(ops.size() - 1).path(), () -> {
            List<CuratorOp> translated = new ArrayList<>();
            for (Op op : ops) {
                translated.add(translate(op));
            }
            return written(ops, curator.transaction().forOperations(translated));
        });
    }

    private CuratorOp translate(Op op) throws Exception {
        if (op instanceof Op.Check check) {
            return curator.transactionOp().check().withVersion(check.version()).forPath(check.path());
        }
        if (op instanceof Op.Create create) {
            CreateMode mode = create.ephemeral() ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
            return curator.transactionOp().create().withMode(mode).forPath(create.path(), bytes(create.data()));
        }
        if (op instanceof Op.Write write) {
            return curator.transactionOp()
                    .setData()
                    .withVersion(write.version())
                    .forPath(write.path(), bytes(write.data()));
        }
        Op.Delete delete = (Op.Delete) op;
        return curator.transactionOp().delete().withVersion(delete.version()).forPath(delete.path());
    }

    private static List<Written> written(List<Op> ops, List<CuratorTransactionResult> results) {
        List<Written> written = new ArrayList<>();
        for (int i = 0; i < ops.size(); i++) {
            if (ops.get(i) instanceof Op.Write) {
                Stat stat = results.get(i).getResultStat();
                written.add(new Written(stat.getVersion(), stat.getMtime()));
            }
        }
        return written;
    }

    @Override
    public long nextIndex(String parent) {
        return call(parent, () -> {
            String path =
                    curator.create().withMode(CreateMode.EPHEMERAL_SEQUENTIAL).forPath(parent + "/n-");
            curator.delete().guaranteed().inBackground().forPath(path);
            return Long.parseLong(path.substring(path.lastIndexOf('-') + 1));
        });
    }

    @Override
    public void sync(String path) {
        call(path, () -> {
            CountDownLatch done = new CountDownLatch(1);
            List<Integer> code = new ArrayList<>();
            curator.sync()
                    .inBackground((client, event) -> {
                        code.add(event.getResultCode());
                        done.countDown();
                    })
                    .forPath(path);
            if (!done.await(SYNC_SECONDS, TimeUnit.SECONDS)) {
                throw refused() // Curator may never tell, where the credentials were refused after the sync had begun
                        ? refusal.exception()
                        : new StoreException(
                                StoreException.Kind.UNCERTAIN, "ZooKeeper did not answer a sync of " + path);
            }
            if (code.get(0) != Code.OK.intValue()) {
                throw KeeperException.create(Code.get(code.get(0)), path);
            }
            return path;
        });
    }

    @Override
    public void watch(List<String> paths) {
        for (String path : paths) {
            call(
                    path,
                    () -> Optional.ofNullable(
                            curator.checkExists().usingWatcher(watcher).forPath(path)));
        }
    }

    @Override
    public List<Access> access(List<String> paths) {
        List<Access> access = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += AT_ONCE) {
            List<String> some = paths.subList(from, Math.min(from + AT_ONCE, paths.size()));
            access.addAll(call(some.get(0), () -> acls.of(some)));
        }
        return access;
    }

    @Override
    public boolean close(String path) {
        return call(path, () -> {
            try {
                curator.setACL().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath(path);
                return true;
            } catch (KeeperException.NoNodeException e) {
                return false;
            }
        });
    }

    private boolean connected() throws Exception {
        refusal.requireLogin();
        CuratorZookeeperClient client = curator.getZookeeperClient();
        if (client.isConnected()) {
            noConnection.over();
            return true;
        }
        if (refused()) {
            if (refusal.tryAgain()) {
                client.reset();
            }
            throw refusal.exception();
        }
        return patienceMillis > 0 && curator.blockUntilConnected(patienceMillis, TimeUnit.MILLISECONDS);
    }

    private boolean refused() throws Exception {
        return curator.getZookeeperClient().getZooKeeper().getState() == ZooKeeper.States.AUTH_FAILED;
    }

    private static byte[] bytes(String data) {
        return data.getBytes(StandardCharsets.UTF_8);
    }

    private <T> T call(String path, Callable<T> operation) {
        try {
            if (!connected()) {
                throw noConnection.exception();
            }
            return operation.call();
        } catch (KeeperException.AuthFailedException e) {
            throw refusal.exception(e);
        } catch (KeeperException.InvalidACLException e) { // what is made belongs to who makes it, and that is nobody
            String message = path + ": ZooKeeper does not know who this client is, although it should have shown the "
                    + refusal.credentials();
            throw new StoreException(StoreException.Kind.NO_PERMISSION, message, e);
        } catch (KeeperException e) {
            throw new StoreException(kind(e.code()), path + ": " + e.code(), e);
        } catch (StoreException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNCERTAIN, path + ": interrupted", e);
        } catch (Exception e) {
            throw new StoreException(StoreException.Kind.UNCERTAIN, path + ": " + e, e);
        }
    }

    private static StoreException.Kind kind(Code code) {
        return switch (code) {
            case NONODE, NODEEXISTS, BADVERSION, NOTEMPTY -> StoreException.Kind.CONFLICT;
            case NOAUTH -> StoreException.Kind.NO_PERMISSION;
            default -> StoreException.Kind.UNCERTAIN;
        };
    }
}
