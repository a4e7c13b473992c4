package org.idallocator.service.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.zk.operator.EmbeddedMark;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several users of one directory. Here they are in one process; {@code SharedDirectoryIT} has real ones. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedDirectoryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final int SESSION_MILLIS = 10_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Integer> halted = new CopyOnWriteArrayList<>();

    private DataDirectory data() {
        return data("data");
    }

    private DataDirectory data(String name) {
        return new DataDirectory(directory.resolve(name));
    }

    private static EmbeddedZooKeeper start(DataDirectory data) {
        return EmbeddedZooKeeper.start(DirectoryLock.on(data.path()), 0, connect -> {});
    }

    private static EmbeddedUse use(DataDirectory data) {
        return use(data, PATIENCE);
    }

    private static EmbeddedUse use(DataDirectory data, Duration patience) {
        return EmbeddedUse.of(data, () -> start(data), patience);
    }

    private static Address address(DataDirectory data) throws IOException {
        return JsonFile.read(data.address(), Address.class).orElseThrow();
    }

    private static Identity identity(DataDirectory data) throws IOException {
        return Identity.read(data).orElseThrow();
    }

    private static String refused(DataDirectory data) {
        EmbeddedStartException refused = assertThrows(EmbeddedStartException.class, () -> use(data, SHORT));
        return String.valueOf(refused.getMessage());
    }

    /** Makes a node as soon as there is a connection. */
    private static void create(ZooKeeper client, String path) {
        await().atMost(PATIENCE).until(() -> {
            try {
                client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return true;
            } catch (KeeperException.ConnectionLossException e) {
                return false;
            }
        });
    }

    @Test
    void shouldUseTheZooKeeperThatRunsAlready() throws Exception {
        try (EmbeddedUse first = use(data());
                EmbeddedUse second = use(data());
                EmbeddedUse looks = EmbeddedUse.ofRunning(data())) {
            assertEquals(first.connect(), second.connect());
            assertEquals(first.connect(), looks.connect());
            EmbeddedMark mark =
                    EmbeddedMark.read(ZooKeeperSettings.of(first.connect())).orElseThrow();
            assertEquals(identity(data()).identity(), mark.identity());
            assertEquals(data().path().toString(), mark.directory());
        }
        assertFalse(Files.exists(data().address()), "nobody is told of a ZooKeeper that has ended");
    }

    /** Some ensembles answer nobody without credentials. */
    @Test
    void shouldReadTheMarkWithTheCredentialsOfTheReplica() throws Exception {
        try (EmbeddedZooKeeper server = start(data())) {
            ZooKeeper owner = new ZooKeeper(server.connect(), SESSION_MILLIS, event -> {});
            owner.addAuthInfo("digest", "ada:secret".getBytes(StandardCharsets.UTF_8));
            create(owner, "/connected");
            owner.setACL("/id-allocator-embedded", ZooDefs.Ids.CREATOR_ALL_ACL, -1);
            owner.close();

            ZooKeeperSettings settings = ZooKeeperSettings.of(server.connect()).withAuth(List.of("digest:ada:secret"));
            assertEquals(
                    server.identity(), EmbeddedMark.read(settings).orElseThrow().identity());
        }
    }

    @Test
    void shouldGoOnWithDataPortAndSessionsWhenTheFirstEnds() throws Exception {
        EmbeddedUse first = use(data());
        ZooKeeper client = new ZooKeeper(first.connect(), SESSION_MILLIS, event -> {});
        try (EmbeddedUse second = use(data())) {
            create(client, "/before");
            long session = client.getSessionId();

            first.close();
            create(client, "/after");

            assertNotNull(client.exists("/before", false));
            assertEquals(session, client.getSessionId());
            await().atMost(PATIENCE).until(() -> EmbeddedUse.found(data()).isPresent());
            assertEquals(second.connect(), address(data()).connect());
            client.close();
        }
    }

    @Test
    void shouldGoOnWithOneOfManyWhenTheFirstEnds() {
        List<EmbeddedUse> uses =
                new ArrayList<>(Stream.generate(() -> use(data())).limit(4).toList());
        String connect = uses.get(0).connect();
        while (!uses.isEmpty()) {
            await().atMost(PATIENCE)
                    .until(() -> EmbeddedUse.found(data())
                            .filter(found -> found.connect().equals(connect))
                            .isPresent());
            uses.remove(0).close();
        }
    }

    @Test
    void shouldNotStartAnotherWhenItOnlyLooksAndTheFirstEnds() {
        EmbeddedUse first = use(data());
        try (EmbeddedUse looks = EmbeddedUse.ofRunning(data())) {
            first.close();

            assertEquals(
                    "no ZooKeeper runs on " + data()
                            + "; start the service there (server), or name another configuration (-c FILE)",
                    assertThrows(EmbeddedStartException.class, () -> EmbeddedUse.ofRunning(data()))
                            .getMessage());
            assertTrue(looks.connect().startsWith("127.0.0.1:"));
        }
    }

    /** The process that left the address was killed, and now another ZooKeeper has its port. */
    @Test
    void shouldNotBelieveAnAddressWhereAnotherZooKeeperServes() throws Exception {
        start(data()).close();
        String identity = identity(data()).identity();
        try (EmbeddedZooKeeper stranger = start(data("another"));
                DirectoryLock starting = DirectoryLock.on(data().path())) {
            JsonFile.write(data().address(), new Address(1, stranger.connect(), 1, "localhost", identity));
            assertEquals(Optional.empty(), EmbeddedUse.found(data()));

            Address other = address(data("another"));
            JsonFile.write(data().address(), other);
            assertEquals(Optional.empty(), EmbeddedUse.found(data()), "of another directory");
            assertFalse(starting.made());
        }
    }

    @Test
    void shouldRemoveAnAddressThatWasLeftBehind() throws Exception {
        start(data()).close();
        JsonFile.write(data().address(), new Address(1, "127.0.0.1:1", 1, "elsewhere", "old"));

        try (DirectoryLock lock = DirectoryLock.on(data().path())) {
            assertEquals(
                    identity(data()).port(),
                    Notice.begin(lock.directory()).identity().port());
            assertFalse(Files.exists(data().address()), "before there is a ZooKeeper");
        }
    }

    @Test
    void shouldWaitForAProcessThatIsStarting() throws Exception {
        DirectoryLock starting = DirectoryLock.on(data().path());
        CompletableFuture<EmbeddedUse> waiting = CompletableFuture.supplyAsync(() -> use(data()));
        try (EmbeddedZooKeeper started = EmbeddedZooKeeper.start(starting, 0, connect -> {
                    assertFalse(Files.exists(data().address()), "nobody else may come before a promise");
                    assertFalse(waiting.isDone());
                });
                EmbeddedUse second = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            assertEquals(started.connect(), second.connect());
        }
    }

    @Test
    void shouldSayWhatWasWaitedForInVain() throws Exception {
        try (DirectoryLock starting = DirectoryLock.on(data().path())) {
            assertEquals(
                    data()
                            + " is in use by another process, which did not say where its ZooKeeper serves within 0 s; stop"
                            + " that process, or name another directory",
                    refused(data()));
            Files.createDirectories(starting.directory().files());
            String host = Replica.local().host();
            JsonFile.write(data().address(), new Address(1, "127.0.0.1:1", 17, host, "x"));
            assertEquals(
                    data()
                            + " is in use by process 17, whose ZooKeeper on 127.0.0.1:1 did not answer within 0 s; stop that"
                            + " process, or name another directory",
                    refused(data()));
        }
    }

    /** The directory is on a disk that two machines share. */
    @Test
    void shouldSayOnWhichMachineTheZooKeeperRuns() throws Exception {
        try (DirectoryLock elsewhere = DirectoryLock.on(data().path())) {
            JsonFile.write(elsewhere.directory().address(), new Address(1, "127.0.0.1:1", 17, "another-machine", "x"));

            EmbeddedStartException refused = assertThrows(EmbeddedStartException.class, () -> use(data()));
            assertEquals(
                    data()
                            + " is in use on another-machine, by process 17, and its ZooKeeper serves that machine alone; name"
                            + " another directory, or for several machines one ensemble (zookeeper.connect)",
                    refused.getMessage());
        }
    }

    @Test
    void shouldKeepIdentityAndPortButGiveACopyItsOwn() throws Exception {
        EmbeddedZooKeeper first = start(data());
        String connect = first.connect();
        first.close();
        Identity identity = identity(data());
        copy(data().path(), data("copy").path());
        assertEquals(Optional.empty(), Identity.read(data("copy")), "before anybody runs on the copy");

        try (EmbeddedZooKeeper copy = start(data("copy"));
                EmbeddedZooKeeper again = start(data())) {
            assertEquals(connect, again.connect());
            assertEquals(identity, identity(data()));
            assertNotEquals(connect, copy.connect());
            assertNotEquals(identity.identity(), identity(data("copy")).identity());
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    @Test
    void shouldBeFoundAgainWhenTheAddressWasRemoved() throws Exception {
        try (EmbeddedZooKeeper server = start(data())) {
            Files.delete(data().address());
            await().atMost(PATIENCE).until(() -> Files.exists(data().address()));
            assertEquals(server.connect(), address(data()).connect());
        }
    }

    @Test
    void shouldKeepTheIdentityWhenItsFileWasRemoved() throws Exception {
        try (EmbeddedZooKeeper server = start(data())) {
            Identity before = identity(data());
            Files.delete(data().identity());
            await().atMost(PATIENCE).until(() -> Identity.read(data()).isPresent());

            assertEquals(before, identity(data()));
            assertEquals(
                    server.connect(), EmbeddedUse.found(data()).orElseThrow().connect());
        }
    }

    @Test
    void shouldEndTheProcessWhenTheDirectoryThatItSharesIsMovedAway() throws Exception {
        List<Integer> haltedFirst = new CopyOnWriteArrayList<>();
        try (EmbeddedZooKeeper first =
                        EmbeddedZooKeeper.start(DirectoryLock.on(data().path()), 0, connect -> {}, haltedFirst::add);
                EmbeddedGuest guest = EmbeddedGuest.at(data(), address(data()), halted::add)) {
            Files.move(data().path(), directory.resolve("elsewhere"));

            await().atMost(PATIENCE).until(() -> halted.equals(List.of(3)) && haltedFirst.equals(List.of(3)));
            assertFalse(Files.exists(data().address()), first::toString);
            assertEquals(List.of(3), halted, guest::toString);
        }
    }

    @Test
    void shouldEndTheProcessWhenTheZooKeeperWasStartedOnAnotherPort() throws Exception {
        try (EmbeddedZooKeeper first = start(data())) {
            Address now = address(data());
            Address before = new Address(1, "127.0.0.1:1", now.pid(), now.host(), now.identity());
            try (EmbeddedGuest guest = EmbeddedGuest.at(data(), before, halted::add)) {
                await().atMost(PATIENCE).until(() -> halted.equals(List.of(3)));
                assertEquals(first.connect(), address(data()).connect(), guest::toString);
            }
            assertEquals(
                    first.connect(), EmbeddedUse.found(data()).orElseThrow().connect());
        }
    }

    @Test
    void shouldTryAgainWhileThePortIsTakenAndStartNothingElsewhere() throws Exception {
        start(data()).close();
        Identity identity = identity(data());
        String connect = Notice.connect(identity.port());
        DirectoryLock first = DirectoryLock.on(data().path());
        try (EmbeddedGuest guest =
                EmbeddedGuest.at(data(), new Address(1, connect, 1, "localhost", identity.identity()), halted::add)) {
            try (ServerSocket taken = new ServerSocket()) {
                taken.setReuseAddress(true);
                taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), identity.port()));
                first.close();
                await().atMost(PATIENCE).until(() -> DirectoryLock.isTaken(data()));
                assertFalse(Files.exists(data().address()));
                assertEquals(
                        refused(data()), refused(data()), "it starts nothing, and lets nobody else start anything");
            }
            await().atMost(PATIENCE).until(() -> EmbeddedUse.found(data()).isPresent());
            assertEquals(connect, address(data()).connect(), guest::toString);
        }
        assertEquals(List.of(), halted);
    }
}
