package org.idallocator.service.embedded;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.testing.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ProofOnly("a ZooKeeper of its own")
class SupervisionTest {
    private static final int SESSION_MILLIS = 60_000;
    private static final byte[] BYTES = "kept".getBytes(StandardCharsets.UTF_8);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Integer> halted = new CopyOnWriteArrayList<>();
    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

    private EmbeddedZooKeeper start() throws IOException {
        return EmbeddedZooKeeper.owner(DirectoryLock.tryLock(data()).orElseThrow(), first -> {}, halted::add)
                .watched();
    }

    private DataDirectory data() {
        return new DataDirectory(directory.resolve("data"));
    }

    private static Client client(EmbeddedZooKeeper server) throws IOException {
        return new Client(new ZooKeeper(server.address().connect(), SESSION_MILLIS, event -> {}));
    }

    /** A client that tries again as long as it is not connected. */
    private record Client(ZooKeeper zookeeper) implements AutoCloseable {
        void create(String path) {
            await().until(() -> {
                try {
                    zookeeper.create(path, BYTES, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                    return true;
                } catch (KeeperException.NodeExistsException e) {
                    return true;
                } catch (KeeperException.ConnectionLossException e) {
                    return false;
                }
            });
        }

        byte[] read(String path) {
            return await().ignoreException(KeeperException.ConnectionLossException.class)
                    .until(() -> zookeeper.getData(path, false, null), data -> true);
        }

        @Override
        public void close() {
            try {
                zookeeper.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends a thread of the server, as a full disk ends the thread that writes the log; and of the next server when called again. */
    private void kill(String threadName) {
        List<Thread> threads = await(threadName).until(() -> started(threadName), started -> started.size() == 1);
        before.addAll(Thread.getAllStackTraces().keySet());
        threads.forEach(Thread::interrupt);
    }

    private List<Thread> started(String threadName) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith(threadName))
                .toList();
    }

    @Test
    void shouldServeAgainOnItsDataAndPortWhenAThreadOfTheServerDies() throws Exception {
        try (EmbeddedZooKeeper server = start();
                Client client = client(server)) {
            String address = server.address().connect();
            client.create("/before");
            long session = client.zookeeper().getSessionId();

            for (String thread : List.of("SyncThread", "ProcessThread", "SessionTracker")) {
                kill(thread);
                client.create("/after-" + thread);
            }

            assertArrayEquals(BYTES, client.read("/before"));
            assertArrayEquals(BYTES, client.read("/after-SyncThread"));
            assertEquals(session, client.zookeeper().getSessionId(), "the session outlives the server");
            assertEquals(address, server.address().connect());
        }
        assertEquals(List.of(), halted);
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhenStartedAgain() throws Exception {
        try (EmbeddedZooKeeper server = start();
                Client client = client(server)) {
            client.create("/before");
            kill("SyncThread");
            client.create("/after");
        }
        try (EmbeddedZooKeeper again = start();
                Client client = client(again)) {
            assertArrayEquals(BYTES, client.read("/before"));
            assertArrayEquals(BYTES, client.read("/after"));
        }
    }

    @Test
    void shouldMakeTheLockFileAnewWhenItIsRemoved() throws IOException {
        try (EmbeddedZooKeeper server = start()) {
            Files.delete(data().lock());

            await().until(() -> Files.exists(data().lock()));
            assertTrue(server.address().connect().startsWith("127.0.0.1:"));
        }
        assertEquals(List.of(), halted);
    }

    /** Something in the way of the address, for example. */
    @Test
    void shouldLookAgainWhateverHappenedWhenItLooked() throws IOException {
        try (Said said = new Said(EmbeddedZooKeeper.class);
                EmbeddedZooKeeper server = start()) {
            Path inTheWay = Files.createDirectories(data().path().resolve("server.json.new/in-the-way"));
            Files.delete(data().address());
            await().during(Duration.ofSeconds(1))
                    .until(() -> said.lines().equals(List.of(data() + " cannot be looked at now")));

            Files.delete(inTheWay);
            Files.delete(data().path().resolve("server.json.new"));
            await().until(() -> Files.exists(data().address()));
            assertEquals(List.of(), halted, server::toString);
        }
    }

    @Test
    void shouldSayInOneLineWhyItEndsTheProcess() throws IOException {
        PrintStream standard = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try (EmbeddedZooKeeper server = start()) {
            Files.move(data().path(), directory.resolve("elsewhere"));

            await().until(() -> halted.equals(List.of(3)));
            assertEquals(
                    data()
                            + " is not what this process began to use: it was removed or replaced, or its ZooKeeper serves"
                            + " on another port than " + server.address().port()
                            + "; the process ends, because it cannot go on safely\n",
                    told.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(standard);
        }
    }

    @Test
    void shouldEndTheProcessWhenTheDirectoryIsMovedAway() throws IOException {
        try (EmbeddedZooKeeper server = start()) {
            Files.move(data().path(), directory.resolve("elsewhere"));

            await().until(() -> halted.equals(List.of(3)));
            assertEquals(false, Files.exists(data().address()), server::toString);
        }
    }

    @Test
    void shouldMakeNoNewDataWhenTheOldWasMovedAwayAndTheServerDies() throws Exception {
        try (EmbeddedZooKeeper server = start();
                Client client = client(server)) {
            client.create("/before");
            Files.move(data().zookeeper(), directory.resolve("elsewhere"));
            kill("SyncThread");

            await().until(() -> halted.equals(List.of(3)));
            assertEquals(false, Files.exists(data().zookeeper()));
        }
        assertEquals(false, Files.exists(data().zookeeper()));
    }
}
