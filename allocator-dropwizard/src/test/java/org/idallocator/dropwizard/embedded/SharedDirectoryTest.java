package org.idallocator.dropwizard.embedded;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.process.ExitStatus;
import org.idallocator.dropwizard.testing.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Several users of one directory. Here they are in one process; {@code SharedDirectoryIT} has real ones. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("try") // what is open is not asked, and closing a client may be interrupted
class SharedDirectoryTest {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final int SESSION_MILLIS = 60_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<ExitStatus> halted = new CopyOnWriteArrayList<>();

    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

    private DataDirectory data() {
        return data("data");
    }

    private DataDirectory data(String name) {
        return new DataDirectory(directory.resolve(name));
    }

    private static DirectoryUse open(DataDirectory data) {
        return open(data, first -> {});
    }

    private static DirectoryUse open(DataDirectory data, Consumer<Address> atFirst) {
        return DirectoryUse.open(data, (first, lastChange) -> atFirst.accept(first), HangGuard.TIME);
    }

    private static DirectoryLock lock(DataDirectory data) throws IOException {
        return DirectoryLock.tryLock(data).orElseThrow();
    }

    /** One that tells this test, rather than ends the process. */
    private DirectoryUse owner() throws IOException {
        return DirectoryUse.openAsOwner(lock(data()), first -> {}, halted::add).startWatching();
    }

    private DirectoryUse client(Address address) throws IOException {
        return DirectoryUse.openAsClient(data(), address, halted::add).startWatching();
    }

    private static Address address(DataDirectory data) throws IOException {
        return JsonFile.read(data.address(), Address.class).orElseThrow();
    }

    private static Identity identity(DataDirectory data) throws IOException {
        return Identity.read(data).orElseThrow();
    }

    private static void awaitPublished(DataDirectory data) {
        await().until(() -> Files.exists(data.address()));
    }

    /** Whether a process has locked the directory, be it this one. */
    private static boolean isTaken(DataDirectory data) throws IOException {
        Optional<DirectoryLock> free = DirectoryLock.tryLock(data);
        if (free.isPresent()) {
            free.get().close();
        }
        return free.isEmpty();
    }

    private static String refused(DataDirectory data) {
        EmbeddedStartException refused = assertThrows(
                EmbeddedStartException.class, () -> DirectoryUse.open(data, DirectoryUse.AtFirst.NOTHING, SHORT));
        return String.valueOf(refused.getMessage());
    }

    private static ZooKeeper connect(Address address) throws IOException {
        return new ZooKeeper(address.connect(), SESSION_MILLIS, event -> {});
    }

    /** Makes a node as soon as there is a connection. */
    private static void create(ZooKeeper client, String path) {
        await().ignoreException(KeeperException.ConnectionLossException.class).until(() -> {
            if (client.exists(path, false) == null) {
                client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            }
            return true;
        });
    }

    /** What is told on standard error of data directories meanwhile; a log may be there, too. */
    private static List<String> told(Executable work) throws Throwable {
        PrintStream standard = System.err;
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            work.execute();
        } finally {
            System.setErr(standard);
        }
        return told.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("zookeeper.embedded.dataDir"))
                .toList();
    }

    /** Looks for a node until an answer comes: a server that dies later than its thread takes an answer with it. */
    private static void awaitThere(ZooKeeper client, String path) {
        await().ignoreException(KeeperException.ConnectionLossException.class)
                .until(() -> client.exists(path, false) != null);
    }

    @Test
    void shouldGoOnWithDataPortAndSessionsWhenTheFirstEnds() throws Exception {
        DirectoryUse first = open(data());
        try (ZooKeeper client = connect(first.address());
                DirectoryUse second = open(data())) {
            assertEquals(first.address(), second.address());
            create(client, "/before");
            long session = client.getSessionId();
            first.close();
            create(client, "/after");
            assertNotNull(client.exists("/before", false));
            assertEquals(session, client.getSessionId());
            awaitPublished(data());
            assertEquals(second.address().connect(), address(data()).connect());
        }
        assertFalse(Files.exists(data().address()), "nobody is told of a ZooKeeper that has ended");
    }

    /** The process that left the address was killed. */
    @Test
    void shouldNotBelieveAnAddressThatWasLeftBehind() throws Exception {
        open(data()).close();
        Identity identity = identity(data());
        JsonFile.write(data().address(), Address.of(identity.identity(), 1));

        try (DirectoryUse existing = DirectoryUse.openExisting(data())) {
            assertEquals(Address.of(identity.identity(), identity.port()), existing.address());
            assertEquals(existing.address(), address(data()));
        }
    }

    @Test
    void shouldNotBelieveTheAddressOfAnotherDirectory() throws Exception {
        open(data()).close();
        try (DirectoryUse stranger = open(data("another"));
                DirectoryLock starting = lock(data())) {
            JsonFile.write(data().address(), stranger.address());

            assertEquals(
                    starting.directory()
                            + " is in use by another process, which did not say where its ZooKeeper serves within 0 s; stop"
                            + " that process",
                    refused(data()));
        }
    }

    @Test
    void shouldRemoveAnAddressThatWasLeftBehindAndPromiseNothingWhereAPlaceForDataIsLeft() throws Exception {
        Files.createDirectories(data().path());
        Address left = new Address(1, "127.0.0.1:1", 1, "elsewhere", "old");
        JsonFile.write(data().address(), left);
        List<Boolean> there = new ArrayList<>();

        open(data(), first -> there.add(Files.exists(data().address()))).close();
        Files.createDirectories(data("place").files());
        open(data("place"), first -> there.add(true)).close();
        assertEquals(List.of(false), there, "data that were in this place already may have been lost");
    }

    /** Nobody who only looks runs the ZooKeeper when its owner ends meanwhile. */
    @Test
    @ProofOnly("waits to see that nothing happens")
    void shouldNeverTakeOverWhenItOnlyLooks() throws Exception {
        DirectoryUse owner = open(data());
        try (DirectoryUse looking = DirectoryUse.openRunning(data())) {
            assertEquals(owner.address(), looking.address());
            owner.close();
            await().during(Duration.ofSeconds(1)).until(() -> !isTaken(data()));
        }
    }

    @Test
    void shouldWaitForAProcessThatIsStarting() throws Exception {
        DirectoryLock starting = lock(data());
        CompletableFuture<DirectoryUse> waiting = CompletableFuture.supplyAsync(() -> open(data()));
        try (DirectoryUse started = DirectoryUse.openAsOwner(
                        starting,
                        first -> {
                            assertFalse(Files.exists(data().address()), "nobody else may come before a promise");
                            assertFalse(waiting.isDone());
                        },
                        halted::add);
                DirectoryUse second = waiting.get(HangGuard.MINUTES, TimeUnit.MINUTES)) {
            assertEquals(started.address(), second.address());
        }
    }

    /** The directory is on a disk that two machines share. */
    @Test
    void shouldSayOnWhichMachineTheZooKeeperRuns() throws Exception {
        open(data()).close();
        try (DirectoryLock elsewhere = lock(data())) {
            String identity = identity(data()).identity();
            JsonFile.write(
                    elsewhere.directory().address(), new Address(1, "127.0.0.1:1", 17, "another-machine", identity));
            assertEquals(
                    data()
                            + " is in use on another-machine, by process 17, and no ZooKeeper answers on this machine: several"
                            + " machines need one ensemble (zookeeper.connect); if that is an earlier name of this machine, stop"
                            + " that process",
                    refused(data()));
        }
    }

    /**
     * A machine may be called otherwise while a process runs, and where it has no name, all such machines are called
     * alike.
     */
    @Test
    void shouldUseTheZooKeeperOfThisMachineWhenTheMachineWasRenamed() throws Exception {
        try (DirectoryUse owner = DirectoryUse.openAsOwner(lock(data()), first -> {}, halted::add)) {
            Address now = owner.address();
            JsonFile.write(
                    data().address(), new Address(1, now.connect(), now.pid(), "its-earlier-name", now.identity()));
            try (DirectoryUse client = DirectoryUse.open(data(), DirectoryUse.AtFirst.NOTHING, SHORT)) {
                assertEquals(now.connect(), client.address().connect());
            }
        }
    }

    /** Says it in the log at a level, and on standard error, where a command logs nothing. */
    private static void assertSaidAloud(Level level, List<String> expected, Said said, List<String> told) {
        assertEquals(expected, told, "on standard error");
        assertEquals(expected, said.lines(), "in the log");
        said.events().forEach(event -> assertEquals(level, event.getLevel()));
    }

    /** A person has to see to what no process can: that nobody uses the original any more. */
    @Test
    void shouldKeepIdentityAndPortButGiveACopyItsOwnAndWarnOnce() throws Throwable {
        DirectoryUse first = open(data());
        first.close();
        Identity identity = identity(data());
        copy(data().path(), data("copy").path());
        assertEquals(Optional.empty(), Identity.read(data("copy")), "before anybody runs on the copy");
        try (Said said = new Said(Identity.class)) {
            List<String> told = told(() -> {
                try (DirectoryUse copy = open(data("copy"));
                        DirectoryUse again = open(data())) {
                    assertEquals(first.address(), again.address());
                    assertEquals(identity, identity(data()));
                    assertNotEquals(first.address().connect(), copy.address().connect());
                    assertNotEquals(identity.identity(), identity(data("copy")).identity());
                }
                open(data("copy")).close();
            });
            String warning = data("copy")
                    + " is a copy or a backup, because its data were written in another directory: IDs come twice if"
                    + " a process has run on the original since the copy was made; let none run there, and run"
                    + " fence-restore here before IDs are drawn. Nothing is to be done where nobody has copied"
                    + " anything, and disks have other numbers since a restart";
            assertSaidAloud(Level.WARN, List.of(warning), said, told);
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
    void shouldMakeItsFilesAnewWhenTheyWereRemoved() throws Exception {
        try (DirectoryUse server = owner()) {
            Identity before = identity(data());
            Files.delete(data().address());
            awaitPublished(data());
            Files.delete(data().identity());
            await().until(() -> Identity.read(data()).isPresent());
            Files.delete(data().lock());
            await().until(() -> Files.exists(data().lock()));
            assertEquals(before, identity(data()));
            assertEquals(server.address(), address(data()));
        }
        assertEquals(List.of(), halted);
    }

    /** Something in the way of the address, for example. */
    @Test
    @ProofOnly("waits to see that nothing happens")
    void shouldLookAgainWhateverHappenedWhenItLooked() throws IOException {
        try (Said said = new Said(DirectoryUse.class);
                DirectoryUse server = owner()) {
            Path inTheWay = Files.createDirectories(data().path().resolve("server.json.new/in-the-way"));
            Files.delete(data().address());
            await().during(Duration.ofSeconds(1))
                    .until(() -> said.lines().equals(List.of(data() + " cannot be looked at now")));
            Files.delete(inTheWay);
            Files.delete(data().path().resolve("server.json.new"));
            awaitPublished(data());
            assertEquals(List.of(), halted);
        }
    }

    /**
     * Ends a thread of the server, as a full disk ends the thread that writes the log; and of the next server when
     * called again.
     */
    private void kill(String threadName) {
        List<Thread> threads = await(threadName)
                .until(
                        () -> Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> !before.contains(thread))
                                .filter(thread -> thread.getName().startsWith(threadName))
                                .toList(),
                        started -> started.size() == 1);
        before.addAll(Thread.getAllStackTraces().keySet());
        threads.forEach(Thread::interrupt);
    }

    @Test
    @ProofOnly("three servers, each some time after the last")
    void shouldServeAgainOnItsDataAndPortWhenAThreadOfTheServerDies() throws Exception {
        try (Said said = new Said(DirectoryUse.class);
                DirectoryUse server = owner();
                ZooKeeper client = connect(server.address())) {
            create(client, "/before");
            long session = client.getSessionId();
            for (String thread : List.of("SyncThread", "ProcessThread", "SessionTracker")) {
                kill(thread);
                create(client, "/after-" + thread);
            }
            awaitThere(client, "/before");
            awaitThere(client, "/after-SyncThread");
            assertEquals(session, client.getSessionId(), "the session outlives the server");
            assertEquals(server.address(), address(data()));
            assertEquals(1, said.lines().size(), "one line a minute: " + said.lines());
            String disk = "the embedded ZooKeeper has died: one of its threads has died; the disk of " + data().path()
                    + " has [0-9]+ bytes free; it is started again by itself";
            assertTrue(said.lines().get(0).matches(disk), said.lines().get(0));
        }
        assertEquals(List.of(), halted);
    }

    @Test
    void shouldMakeNoNewDataWhenTheOldWasMovedAwayAndTheServerDies() throws Exception {
        try (DirectoryUse server = owner();
                ZooKeeper client = connect(server.address())) {
            create(client, "/before");
            Files.move(data().zookeeper(), directory.resolve("elsewhere"));
            kill("SyncThread");
            await().until(() -> halted.equals(List.of(ExitStatus.UNSAFE)));
        }
        assertFalse(Files.exists(data().zookeeper()));
    }

    @Test
    void shouldSayInOneLineWhyItEndsTheProcessWhenTheDirectoryThatItSharesIsMovedAway() throws Throwable {
        try (Said said = new Said(DirectoryUse.class, Level.ERROR);
                DirectoryUse server = owner();
                DirectoryUse client = client(server.address())) {
            String why = data()
                    + " is not what this process began to use: it was removed or replaced, or its ZooKeeper serves on"
                    + " another port than " + client.address().port()
                    + "; the process ends, because it cannot go on safely";
            List<String> told = told(() -> {
                Files.move(data().path(), directory.resolve("elsewhere"));
                await().until(() -> halted.equals(List.of(ExitStatus.UNSAFE, ExitStatus.UNSAFE)));
            });
            assertSaidAloud(Level.ERROR, List.of(why, why), said, told); // each says it
            assertFalse(Files.exists(data().address()));
        }
    }

    /** The data got another name, under which connections begin, or their ZooKeeper another port. */
    @Test
    void shouldEndTheProcessWhenTheDataHaveAnotherIdentityOrPort() throws Exception {
        try (DirectoryUse first = open(data())) {
            Address now = first.address();
            for (Address begun : List.of(
                    Address.of("another", now.port()),
                    new Address(1, "127.0.0.1:1", now.pid(), now.host(), now.identity()))) {
                halted.clear();
                try (DirectoryUse client = client(begun)) {
                    await().until(() -> halted.equals(List.of(ExitStatus.UNSAFE)));
                    assertEquals(now, address(data()));
                }
            }
        }
    }

    private static ServerSocket taken(int port) throws IOException {
        ServerSocket taken = new ServerSocket();
        taken.setReuseAddress(true);
        taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return taken;
    }

    @Test
    void shouldTryAgainWhileThePortIsTakenAndStartNothingElsewhere() throws Exception {
        open(data()).close();
        Identity identity = identity(data());
        Address used = Address.of(identity.identity(), identity.port());
        JsonFile.write(data().address(), used); // as of a process that was killed
        DirectoryLock first = lock(data());
        try (DirectoryUse client = client(used)) {
            try (ServerSocket taken = taken(identity.port())) {
                first.close();
                await().until(() -> isTaken(data()) && !Files.exists(data().address()));
                assertEquals(
                        refused(data()), refused(data()), "it starts nothing, and lets nobody else start anything");
            }
            awaitPublished(data());
            assertEquals(used, address(data()));
        }
        assertEquals(List.of(), halted);
    }

    @Test
    void shouldServeOnAnotherPortWhenNobodyUsesTheDirectoryAndTheLastPortIsTaken() throws Exception {
        open(data()).close();
        int last = identity(data()).port();
        try (ServerSocket taken = taken(last);
                DirectoryUse server = open(data())) {
            assertNotEquals(last, server.address().port());
            assertEquals(server.address(), address(data()));
        }
    }

    /** Whoever cannot see an owner that is paused must not take it for one that has ended. */
    @Test
    void shouldNotTakeOverWithoutALockFile() throws Exception {
        open(data()).close();
        Identity identity = identity(data());
        Files.delete(data().lock());
        try (Said said = new Said(DirectoryUse.class);
                DirectoryUse client = client(Address.of(identity.identity(), identity.port()))) {
            await().until(() -> said.lines().equals(List.of(data() + " cannot be looked at now")));
            assertFalse(Files.exists(data().lock()));

            Files.createFile(data().lock());
            awaitPublished(data());
        }
        assertEquals(List.of(), halted);
    }
}
