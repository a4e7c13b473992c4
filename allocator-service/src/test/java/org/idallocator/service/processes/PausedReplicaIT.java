package org.idallocator.service.processes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica that stands still for longer than its session lasts and then goes on as if nothing had happened, in the middle of
 * its answers, while another has its only slot. Its own clock is right again at once; that must not help it.
 */
class PausedReplicaIT {
    private static final String SETTINGS = """
            zookeeper: {connect: '%s', sessionTimeout: 4s}
            window: 4s
            schemes:
              sno: {partitions: 1, shards: 1}
              muid: {}
            """;

    @TempDir
    private Path directory;

    private final Evidence<?> snos = Evidence.of(new SnoScheme(0, 1, 1));
    private final Evidence<?> muids = Evidence.of(new MuidScheme());
    private final List<ReplicaProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(ReplicaProcess::close);
    }

    @Test
    void shouldIssueNoIdTwiceWhenAPausedReplicaGoesOn() {
        try (ZooKeepers zookeeper = ZooKeepers.alone()) {
            List<ReplicaProcess> two = List.of(start(zookeeper, "replica-1"), start(zookeeper, "replica-2"));
            two.forEach(replica -> awaitStatus(replica, "/ids/muid", 200));
            ReplicaProcess paused = await().atMost(ReplicaProcess.HANG_GUARD)
                    .until(() -> holderOfSno(two), Optional::isPresent)
                    .orElseThrow();
            ReplicaProcess other = two.get(1 - two.indexOf(paused));
            awaitStatus(other, "/ids/sno", 503);
            List<String> refusals;
            try (Clients toPaused = new Clients(failed -> Optional.of(paused));
                    Clients toOther = new Clients(failed -> Optional.of(other))) {
                ask(toPaused);
                ask(toOther);
                awaitIds(snos, 200_000);
                paused.process().pause();
                awaitStatus(other, "/ids/sno", 200);
                awaitIds(snos, snos.checker().seen() + 200_000);
                paused.process().resume();
                awaitStatus(paused, "/ids/sno", 503);
                awaitStatus(paused, "/ids/muid", 200);
                assertEquals(
                        List.of(),
                        toOther.failuresOf(other).stream()
                                .filter(f -> !f.contains("slot"))
                                .toList());
                other.process().terminate();
                awaitStatus(paused, "/ids/sno", 200);
                long muidsSoFar = muids.checker().seen();
                awaitIds(snos, snos.checker().seen() + 100_000);
                awaitIds(muids, muidsSoFar + 100_000);
                refusals = toPaused.failuresOf(paused);
            }
            report(refusals);
            snos.requireDistinct();
            muids.requireDistinct();
        }
    }

    private static Optional<ReplicaProcess> holderOfSno(List<ReplicaProcess> replicas) {
        return replicas.stream()
                .filter(replica -> replica.status("/ids/sno") == 200)
                .findFirst();
    }

    private ReplicaProcess start(ZooKeepers zookeeper, String name) {
        ReplicaProcess replica =
                ReplicaProcess.start(directory, name, SETTINGS.formatted(zookeeper.connectString()), Map.of());
        started.add(replica);
        return replica;
    }

    private void ask(Clients clients) {
        for (int i = 0; i < 3; i++) {
            clients.start(snos, 1_000);
            clients.start(muids, 1_000);
        }
    }

    private static void awaitStatus(ReplicaProcess replica, String path, int status) {
        await(replica + " answers " + path + " with " + status)
                .atMost(ReplicaProcess.HANG_GUARD)
                .until(() -> replica.status(path), Integer.valueOf(status)::equals);
    }

    private static void awaitIds(Evidence<?> evidence, long ids) {
        await().atMost(ReplicaProcess.HANG_GUARD).until(() -> evidence.checker().seen() >= ids);
    }

    private void report(List<String> refusals) {
        System.out.println(snos + ", " + muids);
        refusals.stream().distinct().limit(10).forEach(System.out::println);
    }
}
