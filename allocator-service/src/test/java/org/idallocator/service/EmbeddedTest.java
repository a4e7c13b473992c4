package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
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
    @ProofOnly("a service of its own, which is started again")
    void shouldKeepWhatWasReservedAndIssueOnlyLaterIdsWhenRestarted() {
        String first = muid();
        LeaseView before = view();
        assertEquals(Optional.empty(), Optional.ofNullable(before.lease()), "the slot was released");
        assertEquals(before, view());
        assertTrue(muid().compareTo(first) > 0);
    }

    /** Draws an ID, and stops the service in order. The first 14 digits of a muid are its microseconds. */
    private String muid() {
        try (RunningService service = service()) {
            return service.app().get("/ids/muid").body().substring(0, 14);
        }
    }

    private RunningService service() {
        return RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.dataDir=" + data,
                        "zookeeper.sessionTimeout=60s")
                .awaitReady();
    }

    private LeaseView view() {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                IdAllocator observer = IdAllocator.connect(
                        AllocatorSettings.of(List.of(), ZooKeeperSettings.of(zookeeper.connect())))) {
            List<LeaseView> leases = observer.cluster().leases(new MuidScheme());
            assertEquals(1, leases.size());
            return leases.get(0);
        }
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
    @SuppressWarnings("try") // what is closed last is not asked anything
    void shouldServeGidAloneWhileZooKeeperIsUnreachable() throws Exception {
        int port = Ports.free(1).get(0);
        List<OwnZooKeeper> late = new ArrayList<>();
        try (AutoCloseable zookeeper =
                        () -> late.forEach(OwnZooKeeper::close); // after the service, so that slots can be released
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

            late.add(OwnZooKeeper.start(data, port));
            service.awaitReady();
            for (String scheme : Schemes.names()) {
                await().until(() -> service.app().status("/ids/" + scheme) == 200);
            }
        }
    }
}
