package org.idallocator.service;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.idallocator.service.embedded.EnsembleKind;
import org.idallocator.service.embedded.OwnZooKeeper;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.Said;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Test
    void shouldKeepWhatWasReservedWhenRestarted() {
        LeaseView before = useOneSlot();
        assertEquals(Optional.empty(), Optional.ofNullable(before.lease()), "the slot was released");

        assertEquals(before, view());
    }

    /** Draws an ID, stops the service in order, and reads what ZooKeeper knows of the slot. */
    private LeaseView useOneSlot() {
        try (RunningService service = service()) {
            assertTrue(service.app().get("/ids/eightbyte").body().matches("[0-9a-f]{16}\n"));
        }
        return view();
    }

    private RunningService service() {
        return RunningService.start(AllocatorApplication.class, "zookeeper.embedded.dataDir=" + data)
                .awaitReady();
    }

    private LeaseView view() {
        EightByteScheme scheme = new EightByteScheme(0);
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                IdAllocator observer = IdAllocator.connect(
                        AllocatorSettings.of(List.of(), ZooKeeperSettings.of(zookeeper.connect())))) {
            List<LeaseView> leases = observer.cluster().leases(scheme);
            assertEquals(1, leases.size());
            return leases.get(0);
        }
    }

    @Test
    void shouldIssueOnlyLaterIdsWhenRestarted() {
        String last = time(draw());

        assertTrue(time(draw()).compareTo(last) > 0);
    }

    private String draw() {
        try (RunningService service = service()) {
            return service.app().get("/ids/muid").body().strip();
        }
    }

    /** The first 14 digits of a muid, which are its microseconds. */
    private static String time(String muid) {
        return muid.substring(0, 14);
    }

    @Test
    void shouldSayThatTheDirectoryIsInUse() {
        try (OwnZooKeeper first = OwnZooKeeper.start(data)) {
            assertTrue(first.connect().startsWith("127.0.0.1:"));
            EmbeddedStartException error = assertThrows(EmbeddedStartException.class, () -> OwnZooKeeper.start(data));
            assertEquals(
                    "zookeeper.embedded.dataDir " + data
                            + " is in use by another process; stop that or name another directory",
                    error.getMessage());
        }
    }

    @Test
    void shouldSayThatThePortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            EmbeddedStartException error =
                    assertThrows(EmbeddedStartException.class, () -> OwnZooKeeper.start(data, port));
            assertEquals(
                    "zookeeper.embedded.port " + port + " cannot be listened on: Address already in use",
                    error.getMessage());
        }
        OwnZooKeeper.start(data).close();
    }

    @Test
    void shouldLeaveNoConfigurationFilesBehind() throws IOException {
        OwnZooKeeper.start(data).close();

        try (Stream<Path> files = Files.list(data)) {
            assertEquals(
                    List.of("lock", "zookeeper"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void shouldServeGidAloneWhileZooKeeperIsUnreachable() throws IOException {
        int port = freePort();
        try (LateZooKeeper late = new LateZooKeeper();
                RunningService service = RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.enabled=false",
                        "zookeeper.connect=127.0.0.1:" + port,
                        "zookeeper.sessionTimeout=2s",
                        "window=2s",
                        "maxClockSkew=500ms")) {
            assertEquals(200, service.app().get("/ids/gid").statusCode());
            assertEquals(503, service.app().get("/ids/sno").statusCode());
            assertEquals(503, service.app().get("/health-check").statusCode());
            assertFalse(service.app().get("/ids").body().contains("\"state\":\"active\",\"leased\":true"));

            assertTrue(late.start(data, port).endsWith(":" + port));
            service.awaitReady();
            for (String scheme : Schemes.names()) {
                await().until(() -> service.app().get("/ids/" + scheme).statusCode() == 200);
            }
        }
    }

    /** A replica that was given no more than an address. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSayInTheCatalogueWhetherTheZooKeeperIsAnEmbeddedOne(boolean marked) throws Exception {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data)) {
            if (!marked) {
                removeMark(zookeeper.connect());
            }
            FirstStart.withoutWaiting(AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(zookeeper.connect())));
            try (RunningService service = RunningService.start(
                    AllocatorApplication.class,
                    "tellWhereabouts=true",
                    "zookeeper.embedded.enabled=false",
                    "zookeeper.connect=" + zookeeper.connect())) {
                await().until(() -> service.app().json("/ids").path("zookeeper").has("embedded"));

                JsonNode entry = service.app().json("/ids").path("zookeeper");
                assertEquals(marked, entry.path("embedded").asBoolean(), entry.toString());
                assertEquals(marked, entry.has("host"), entry.toString());
            }
        }
    }

    /** Who was given no more than an address has read no greeting that says so. */
    @Test
    void shouldLogThatTheZooKeeperOfAnAddressIsAnEmbeddedOne() throws IOException {
        try (Said said = new Said(EnsembleKind.class, Level.INFO);
                OwnZooKeeper zookeeper = OwnZooKeeper.start(data)) {
            Path file = Files.writeString(
                    data.resolve("client.yml"), "allocator: {zookeeper: {connect: '" + zookeeper.connect() + "'}}");
            try (EnsembleKind kind = EnsembleKind.of(ConfigFile.start(file), () -> true)) {
                await().until(() -> kind.entry().embedded().isPresent());

                assertEquals(
                        List.of("The ZooKeeper at " + zookeeper.connect() + " is an embedded one, on "
                                + kind.entry().host().orElseThrow()
                                + ", and keeps the IDs of one machine apart; several machines need one ensemble"),
                        said.lines());
            }
        }
    }

    private static void removeMark(String connect) throws Exception {
        ZooKeeper client = new ZooKeeper(connect, 10_000, event -> {});
        await().ignoreException(KeeperException.ConnectionLossException.class)
                .until(() -> client.exists("/id-allocator-embedded", false) != null);
        client.delete("/id-allocator-embedded", -1);
        client.close();
    }

    /** A ZooKeeper that starts after what needs one, and ends after that as well, so that slots can be released. */
    private static final class LateZooKeeper implements AutoCloseable {
        private Optional<OwnZooKeeper> server = Optional.empty();

        String start(Path data, int port) {
            OwnZooKeeper started = OwnZooKeeper.start(data, port);
            server = Optional.of(started);
            return started.connect();
        }

        @Override
        public void close() {
            server.ifPresent(OwnZooKeeper::close);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
