package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger who may write says, in the name of a holder that is paused, that the holder's slot was released, and takes its lease
 * away. Another replica claims the slot, and both serve from the moment at which the holder goes on until it hears of that. How many
 * IDs come twice meanwhile is printed: nothing can keep apart what strangers may write.
 */
@ProofOnly("processes of its own, and two cores that nobody else uses")
final class ForgedRecordIT {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final int COUNT = 10_000;
    private static final Scheme<?> SNO = new SnoScheme(0, 1, 1);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private final List<ReplicaProcess> started = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @AfterEach
    void end() {
        clients.shutdownNow();
        started.forEach(ReplicaProcess::close);
    }

    @Test
    void shouldFenceAsSoonAsTheHolderGoesOn() throws Exception {
        try (ZooKeepers zookeeper = ZooKeepers.alone();
                Admin stranger = Admin.of(zookeeper.connectString())) {
            FirstStart.withoutWaiting(
                    AllocatorSettings.of(List.of(SNO), ZooKeeperSettings.of(zookeeper.connectString())));
            ReplicaProcess holder = start(zookeeper, "holder");
            await().until(() -> holder.status("/ids/sno") == 200);
            ReplicaProcess next = start(zookeeper, "next");
            await().until(() -> next.status("/ids/sno") == 503);
            AtomicInteger ofHolder = ask(holder);
            AtomicInteger ofNext = ask(next);
            await().until(() -> ofHolder.get() > 200);

            holder.process().pause();
            long paused = System.nanoTime();
            forge(stranger);
            await().until(() -> ofNext.get() > 100);
            await().until(() -> System.nanoTime() - paused > PAUSE.toNanos());
            holder.process().resume();
            long resumed = System.nanoTime();
            await().pollInterval(Duration.ofMillis(1)).until(() -> holder.status("/ids/sno") == 503);
            long fencedMillis = (System.nanoTime() - resumed) / 1_000_000;
            int before = ofNext.get();
            await().until(() -> ofNext.get() > before + 100);
            stop.set(true);
            clients.shutdown();
            assertTrue(clients.awaitTermination(HangGuard.MINUTES, TimeUnit.MINUTES));

            DuplicateChecker checker = new DuplicateChecker();
            answers.stream().flatMap(String::lines).map(Sno::parse).forEach(id -> checker.accept(id.high(), id.low()));
            System.out.printf(
                    "%d of %d IDs came twice; refused at the latest %d ms after the pause%n",
                    checker.duplicates(), checker.seen(), fencedMillis);
            assertTrue(fencedMillis < 1_000, "the next renewal alone would notice as well: " + fencedMillis + " ms");
            assertTrue(
                    holder.process().tail().contains("reason=record-taken"),
                    holder.process().tail());
        }
    }

    private ReplicaProcess start(ZooKeepers zookeeper, String name) {
        String settings = """
                zookeeper: {connect: '%s'}
                schemes: {sno: {partition: 0, partitions: 1, shards: 1}}
                """.formatted(zookeeper.connectString());
        ReplicaProcess replica = ReplicaProcess.start(directory, name, settings, Map.of());
        started.add(replica);
        return replica;
    }

    /** Two clients, who ask all the time; counts the answers that had IDs. */
    private AtomicInteger ask(ReplicaProcess replica) {
        AtomicInteger answered = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            clients.execute(() -> {
                while (!stop.get()) {
                    askOnce(replica, answered);
                }
            });
        }
        return answered;
    }

    private void askOnce(ReplicaProcess replica, AtomicInteger answered) {
        HttpRequest request = HttpRequest.newBuilder(replica.uri("/ids/sno?count=" + COUNT))
                .header("Accept", "text/plain")
                .timeout(HangGuard.TIME)
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                answers.add(response.body());
                answered.incrementAndGet();
            } else {
                LockSupport.parkNanos(5_000_000); // nobody asks one that refuses without a pause
            }
        } catch (IOException e) {
            throw new AssertionError(replica + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The slot was released a second ago, says the stranger. */
    private static void forge(Admin stranger) {
        Tree tree = new Tree("/id-allocator");
        TickUnit unit = SNO.pool().orElseThrow().unit();
        String name = SNO.pool().orElseThrow().nameOf(0);
        String record = tree.records(SNO.pool().orElseThrow()) + "/" + name;
        String nonce =
                Payloads.read(record, stranger.read(record), SlotRecord.class).nonce();
        long second = unit.ticksIn(Duration.ofSeconds(1));
        SlotRecord forged = SlotRecord.released(unit, unit.tickAt(Clock.system().micros()) - second, nonce);
        stranger.write(record, Json.write(forged));
        stranger.delete(tree.leases(SNO.pool().orElseThrow()) + "/" + name);
    }
}
