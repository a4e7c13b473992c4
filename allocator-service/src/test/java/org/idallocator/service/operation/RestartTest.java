package org.idallocator.service.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service that was stopped in order knows when it is started again. */
class RestartTest {
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
}
