package org.idallocator.processes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A million IDs that are passed along through three replicas, each asked for after the last one. Every build has
 * {@link ReplicasIT} pass some thousand along.
 */
@ProofOnly("asks a million times, one ID at a time")
class PassedAlongIT {
    private static final int HOPS = 1_000_000;

    @TempDir
    private Path directory;

    private final List<ReplicaProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(ReplicaProcess::close);
    }

    @Test
    void shouldSortEachIdAfterTheLastOneWhicheverReplicaMadeIt() throws InterruptedException, ExecutionException {
        try (ZooKeepers zookeepers = ZooKeepers.alone()) {
            Stream.of("replica-1", "replica-2", "replica-3").forEach(name -> start(zookeepers, name));
            started.forEach(ReplicaProcess::awaitReady);

            new PassedAlong(started).requireOrder(HOPS);
        }
    }

    private void start(ZooKeepers zookeepers, String name) {
        String settings = "zookeeper: {connect: '%s'}".formatted(zookeepers.connectString());
        // A million hops are worth compiling for as a server does, unlike the few requests of other tests.
        started.add(ReplicaProcess.start(directory, name, settings, List.of("-Xmx256m", "-XX:TieredStopAtLevel=4")));
    }
}
