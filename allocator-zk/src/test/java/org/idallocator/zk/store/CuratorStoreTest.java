package org.idallocator.zk.store;

import static org.idallocator.core.testing.HangGuard.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.LocalServer;
import org.idallocator.zk.testing.Sessions;
import org.idallocator.zk.testing.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** The real client and a real server, with a line between them that loses things. */
@ProofOnly("half a minute, in which a client mostly waits before it connects again")
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CuratorStoreTest extends StoreContract {
    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    @AutoClose
    private static final TcpProxy LINE = TcpProxy.to(SERVER.connect(), Duration.ZERO);

    @AutoClose
    private static final Admin ADMIN = Admin.of(SERVER.connect());

    @AutoClose
    private final CuratorFramework curator = Clients.open(ZooKeeperSettings.of(LINE.address()));

    private final CuratorStore client = CuratorStore.waiting(curator, ZooKeeperSettings.of(LINE.address()));
    private final Store store = new ConnectedStore(client);
    private final Store other = CuratorStore.waiting(ADMIN.curator(), ZooKeeperSettings.of(SERVER.connect()));

    /** Asks when there is a connection, however long that takes. */
    private final class ConnectedStore extends ForwardingStore {
        ConnectedStore(Store store) {
            super(store);
        }

        @Override
        public Session session() {
            awaitConnected();
            return super.session();
        }

        @Override
        public void sync(String path) {
            awaitConnected();
            super.sync(path);
        }

        @Override
        public Outcome.Sent send(Transaction transaction) {
            awaitConnected();
            return super.send(transaction);
        }

        private void awaitConnected() {
            await().until(client::isConnected);
        }
    }

    @BeforeEach
    void connect() {
        curator.start();
        var unused = store.session();
    }

    @AfterEach
    void deleteNodes() {
        LINE.heal();
        ADMIN.delete(ROOT);
    }

    @Override
    Store store() {
        return store;
    }

    @Override
    Store other() {
        return other;
    }

    @Override
    void loseNextRequest() {
        awaitIdle();
        LINE.loseNextRequest();
    }

    @Override
    void loseNextAnswer() {
        awaitIdle();
        LINE.loseNextAnswer();
    }

    @Override
    void delayNextRequest() {
        awaitIdle();
        LINE.delayNextRequest();
    }

    /** Once this is answered, nothing else is under way. */
    private void awaitIdle() {
        store.sync(ROOT);
    }

    @Override
    void deliver() {
        int before = written();
        LINE.deliver();
        await().until(() -> written() > before);
        LINE.heal();
    }

    private int written() {
        return other.children(ROOT).stream()
                .mapToInt(name -> other.read(ROOT + "/" + name).orElseThrow().version())
                .sum();
    }

    @Override
    void endSession() {
        Session before = store.session();
        expire(before);
        await().until(() -> store.session().id() != before.id());
    }

    private static void expire(Session session) {
        try {
            Sessions.expire(SERVER.connect(), "0x" + Long.toHexString(session.id()));
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    Outcome.Sent sendAsSessionEnds(Transaction transaction) {
        Session session = store.session();
        LINE.blackhole();
        CompletableFuture<Outcome.Sent> sent = sendMeanwhile(transaction.on(session));
        expire(session);
        LINE.heal();
        return sent.join();
    }

    @Override
    Outcome.Sent sendAsCredentialsAreRefused(Transaction transaction) {
        LINE.blackhole();
        try {
            curator.getZookeeperClient().getZooKeeper().addAuthInfo("foo", new byte[0]);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        CompletableFuture<Outcome.Sent> sent = sendMeanwhile(transaction);
        LINE.heal();
        return sent.join();
    }

    /** Returns when the request has been sent, and waits for its answer. */
    private CompletableFuture<Outcome.Sent> sendMeanwhile(Transaction transaction) {
        CompletableFuture<Outcome.Sent> sent = new CompletableFuture<>();
        Thread sending = new Thread(() -> {
            try {
                sent.complete(store.send(transaction));
            } catch (StoreException e) {
                sent.completeExceptionally(e);
            }
        });
        sending.setDaemon(true);
        sending.start();
        await().until(() -> sending.getState() == Thread.State.WAITING);
        return sent;
    }

    @Override
    void forbid(String path) {
        try {
            ADMIN.curator().setACL().withACL(ZooDefs.Ids.READ_ACL_UNSAFE).forPath(path);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
