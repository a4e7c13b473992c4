package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three replicas on an ensemble of three ZooKeepers, all schemes at once, some hundred thousand IDs, and five million
 * in the proof: while clients ask, one replica is killed, another started, one stopped in order, and the ensemble loses
 * its leader. How long each of these lasts is up to the replicas, not to the number of IDs: clients ask until all have
 * happened.
 */
class ReplicasIT {
    private static final long TOTAL = Proof.size(300_000L, 5_000_000L);

    /** How many IDs are passed along before anything happens. PassedAlongIT has a million. */
    private static final int PASSED_ALONG = 1_000;

    private static final int EXIT_ON_SIGTERM = 143;
    private static final int MANY = Proof.size(1_000, 10_000);

    /**
     * How long a replica keeps its slots without a ZooKeeper: in the minutes, however slowly a new leader is elected.
     */
    private static final Duration SESSION = Proof.size(Duration.ofSeconds(60), Duration.ofSeconds(10));

    /** A replica that stops serves on until the load balancer has noticed, which looks twice a second. */
    private static final List<String> OPTIONS =
            List.of("-Xmx256m", "-Ddw.health.shutdownWaitPeriod=" + Proof.size("4s", "3s"));

    private static final Map<String, List<Integer>> COUNTS = Map.of(
            "sno", List.of(1, MANY),
            "muid", List.of(1, MANY),
            "eightbyte", List.of(1, MANY),
            "uid60", List.of(1, 50),
            "gid", List.of(1, 1_000));

    @TempDir
    private Path directory;

    private final List<Evidence<?>> evidence =
            Schemes.all().stream().<Evidence<?>>map(ReplicasIT::evidence).toList();
    private final List<ReplicaProcess> started = new ArrayList<>();

    private static Evidence<?> evidence(Scheme<?> scheme) {
        return Evidence.of(scheme);
    }

    @AfterEach
    void endAll() {
        started.forEach(ReplicaProcess::close);
    }

    @Test
    void shouldIssueNoIdTwiceWhileReplicasComeAndGo() throws InterruptedException, ExecutionException {
        try (ZooKeepers zookeepers = ZooKeepers.ensemble();
                LoadBalancer balancer = new LoadBalancer()) {
            if (!Proof.runs()) {
                promise(settings(zookeepers)); // who does not know waits for longer than a session
            }
            List<ReplicaProcess> three = Stream.of("replica-1", "replica-2", "replica-3")
                    .map(name -> start(zookeepers, balancer, name))
                    .toList();
            three.forEach(ReplicaProcess::awaitReady);
            await().until(() -> balancer.ready().size() == 3);
            new PassedAlong(three).requireOrder(PASSED_ALONG);

            Clients clients = new Clients(balancer::pick);
            try (clients) {
                evidence.forEach(scheme -> COUNTS.getOrDefault(scheme.scheme().name(), List.of(1))
                        .forEach(count -> clients.start(scheme, count)));
                awaitTotal(TOTAL / 5);
                ReplicaProcess fourth = start(zookeepers, balancer, "replica-4");
                three.get(0).process().kill();
                zookeepers.kill(zookeepers.leader().orElseThrow());
                fourth.awaitReady();
                awaitTotal(TOTAL / 5 * 3);
                stopInOrder(three.get(1));
                awaitTotal(TOTAL);
            }
            evidence.forEach(Evidence::requireDistinct);
            requireAnswered(clients, three.get(0));
        }
    }

    private static void promise(AllocatorSettings settings) {
        try (Admin admin = Admin.of(settings.zookeeper().connect())) {
            assertTrue(OnStore.withoutWaiting(admin.access(settings)));
        }
    }

    private static AllocatorSettings settings(ZooKeepers zookeepers) {
        ZooKeeperSettings zookeeper =
                ZooKeeperSettings.of(zookeepers.connectString()).withSessionTimeout(SESSION);
        return AllocatorSettings.of(Schemes.all(), zookeeper).withWindow(SESSION);
    }

    private ReplicaProcess start(ZooKeepers zookeepers, LoadBalancer balancer, String name) {
        String settings = """
                zookeeper: {connect: '%s', sessionTimeout: %ds}
                window: %ds
                """.formatted(zookeepers.connectString(), SESSION.toSeconds(), SESSION.toSeconds());
        ReplicaProcess replica = ReplicaProcess.start(directory, name, settings, OPTIONS);
        started.add(replica);
        balancer.add(replica);
        return replica;
    }

    private void awaitTotal(long ids) {
        await().until(() ->
                evidence.stream().mapToLong(scheme -> scheme.checker().seen()).sum() >= ids);
    }

    private static void stopInOrder(ReplicaProcess replica) {
        replica.process().terminate();
        assertEquals(EXIT_ON_SIGTERM, replica.process().awaitEnd(HangGuard.TIME.toSeconds()));
        String log = replica.process().tail();
        assertTrue(log.contains("released"), log);
    }

    /**
     * The replica that was killed may have failed those requests that were under way; no other replica may have failed
     * any.
     */
    private void requireAnswered(Clients clients, ReplicaProcess killed) {
        started.stream()
                .filter(replica -> replica != killed)
                .forEach(replica -> assertEquals(List.of(), clients.failuresOf(replica), replica::toString));
    }
}
