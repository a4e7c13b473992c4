package org.idallocator.service.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SESSION_MILLIS = 10_000;
    private static final byte[] BYTES = "kept".getBytes(StandardCharsets.UTF_8);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Integer> halted = new CopyOnWriteArrayList<>();
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    private EmbeddedZooKeeper start() {
        return start(DirectoryLock.on(data().path()));
    }

    private EmbeddedZooKeeper start(DirectoryLock lock) {
        return EmbeddedZooKeeper.start(lock, 0, connect -> {}, halted::add);
    }

    private DataDirectory data() {
        return new DataDirectory(directory.resolve("data"));
    }

    private static Client client(EmbeddedZooKeeper server) throws IOException {
        return new Client(new ZooKeeper(server.connect(), SESSION_MILLIS, event -> {}));
    }

    /** A client that tries again as long as it is not connected. */
    private record Client(ZooKeeper zookeeper) implements AutoCloseable {
        void create(String path) {
            await().atMost(PATIENCE).until(() -> {
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
            return await().atMost(PATIENCE)
                    .ignoreException(KeeperException.ConnectionLossException.class)
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

    /** Ends a thread of the server, as a full disk ends the thread that writes the log. */
    private void kill(String threadName) {
        Set<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith(threadName))
                .collect(Collectors.toSet());
        assertEquals(1, threads.size(), threadName);
        threads.forEach(Thread::interrupt);
    }

    @Test
    void shouldServeAgainOnItsDataAndPortWhenAThreadOfTheServerDies() throws Exception {
        try (EmbeddedZooKeeper server = start();
                Client client = client(server)) {
            String address = server.connect();
            client.create("/before");
            long session = client.zookeeper().getSessionId();

            for (String thread : List.of("SyncThread", "ProcessThread", "SessionTracker", "RequestThrottler")) {
                kill(thread);
                client.create("/after-" + thread);
            }

            assertArrayEquals(BYTES, client.read("/before"));
            assertArrayEquals(BYTES, client.read("/after-SyncThread"));
            assertEquals(session, client.zookeeper().getSessionId(), "the session outlives the server");
            assertEquals(address, server.connect());
        }
        assertEquals(List.of(), halted);
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhenStartedAgain() throws Exception {
        DirectoryLock first = DirectoryLock.on(data().path());
        assertTrue(first.made());
        try (EmbeddedZooKeeper server = start(first);
                Client client = client(server)) {
            client.create("/before");
            kill("SyncThread");
            client.create("/after");
        }
        DirectoryLock second = DirectoryLock.on(data().path());
        assertEquals(false, second.made());
        try (EmbeddedZooKeeper again = start(second);
                Client client = client(again)) {
            assertArrayEquals(BYTES, client.read("/before"));
            assertArrayEquals(BYTES, client.read("/after"));
        }
    }

    @Test
    void shouldMakeLockFilesAnewWhenTheyAreRemoved() throws IOException {
        try (EmbeddedZooKeeper server = start()) {
            Files.delete(data().lock());
            Files.delete(data().innerLock());

            await().atMost(PATIENCE).until(() -> Files.exists(data().innerLock()) && Files.exists(data().lock()));
            assertTrue(server.connect().startsWith("127.0.0.1:"));
        }
        assertEquals(List.of(), halted);
    }

    @Test
    void shouldEndTheProcessWhenTheDirectoryIsMovedAway() throws IOException {
        try (EmbeddedZooKeeper server = start()) {
            Files.move(data().path(), directory.resolve("elsewhere"));

            await().atMost(PATIENCE).until(() -> halted.equals(List.of(3)));
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

            await().atMost(PATIENCE).until(() -> halted.equals(List.of(3)));
            assertEquals(false, Files.exists(data().zookeeper()));
        }
        assertEquals(false, Files.exists(data().zookeeper()));
    }
}
