package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.embedded.OwnZooKeeper;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Test
    @ProofOnly("a service of its own")
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
        return RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.dataDir=" + data,
                        "zookeeper.sessionTimeout=60s")
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
    @ProofOnly("a ZooKeeper of its own, which is started again")
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
    void shouldLeaveNoConfigurationFilesBehind() throws IOException {
        OwnZooKeeper.start(data).close();

        try (Stream<Path> files = Files.list(data)) {
            assertEquals(
                    List.of("lock", "zookeeper"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    @ProofOnly("waits through an outage")
    void shouldServeGidAloneWhileZooKeeperIsUnreachable() throws IOException {
        int port = Ports.free(1).get(0);
        try (LateZooKeeper late = new LateZooKeeper();
                RunningService service = RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.enabled=false",
                        "zookeeper.connect=127.0.0.1:" + port,
                        "zookeeper.sessionTimeout=10s",
                        "window=2s",
                        "maxClockSkew=500ms")) {
            assertEquals(200, service.app().status("/ids/gid"));
            assertEquals(503, service.app().status("/ids/sno"));
            assertEquals(503, service.app().status("/health-check"));
            assertFalse(service.app().get("/ids").body().contains("\"state\":\"active\",\"leased\":true"));
            assertFalse(service.app().json("/ids").at("/zookeeper/embedded").asBoolean(true));

            assertTrue(late.start(data, port).endsWith(":" + port));
            service.awaitReady();
            for (String scheme : Schemes.names()) {
                await().until(() -> service.app().status("/ids/" + scheme) == 200);
            }
        }
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
}
