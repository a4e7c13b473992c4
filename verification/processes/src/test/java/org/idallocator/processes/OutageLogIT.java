package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a replica with {@code config/cluster.yml} logs while it has no ZooKeeper: each outage once, and no line at each
 * try.
 */
@ProofOnly("waits for many tries to connect")
final class OutageLogIT {
    private static final int SLOTS = 4;
    private static final String BEGUN = "leases are not kept: ";
    private static final String OVER = "leases are kept again";

    /** What the libraries below the allocator say of it. */
    private static final Pattern FOREIGN = Pattern.compile("(WARN|ERROR) .*] (org\\.apache|io\\.netty)\\..*");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void shouldTellEachOutageOnceAndItsEndOnce() throws Exception {
        try (ZooKeepers zookeeper = ZooKeepers.alone();
                ReplicaProcess replica =
                        ReplicaProcess.shipped(directory, "replica", zookeeper.connectString(), Map.of())) {
            replica.awaitReady();

            zookeeper.kill(0);
            await().until(() -> told("lease fenced ").size() == SLOTS); // after some eight tries to connect
            zookeeper.restart(0);
            replica.awaitReady();
            await().until(() -> !told(OVER).isEmpty());

            assertEquals(1, told(BEGUN + "unreachable: ").size(), () -> String.join("\n", told(BEGUN)));
            assertEquals(1, told(BEGUN).size(), () -> String.join("\n", told(BEGUN)));
            assertEquals(1, told(OVER).size());
            assertEquals(List.of(), foreign());
        }
    }

    @Test
    void shouldTellOnceThatANameDoesNotResolve() throws Exception {
        String connect = "no-such-zk.invalid:2181";
        try (ReplicaProcess replica = ReplicaProcess.shipped(directory, "replica", connect, Map.of())) {
            String words = "no-such-zk.invalid does not resolve to an address (zookeeper.connect)";
            await().until(() ->
                    !told(words).isEmpty() && !told(BEGUN).isEmpty()); // after two tries to connect, or more

            assertTrue(replica.process().alive());
            assertEquals(1, told(words).size());
            assertEquals(1, told(BEGUN).size(), () -> String.join("\n", told(BEGUN)));
            assertEquals(List.of(), foreign());
        }
    }

    private List<String> log() {
        return assertDoesNotThrow(() -> Files.readAllLines(directory.resolve("replica.log")));
    }

    private List<String> told(String what) {
        return log().stream().filter(line -> line.contains(what)).toList();
    }

    private List<String> foreign() {
        return log().stream().filter(line -> FOREIGN.matcher(line).matches()).toList();
    }
}
