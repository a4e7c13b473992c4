package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How replicas with {@code config/cluster.yml} leave: by SIGTERM, while clients of all kinds hang on them, operators
 * wait, or ZooKeeper does not answer; and by a drain.
 */
@ProofOnly("waits for clients that do not read, and for all of a stop")
final class OrderlyStopIT {
    private static final int EXIT_ON_SIGTERM = 143;

    /** Within which time after SIGTERM all slots are given back. */
    private static final Duration GIVEN_BACK = Duration.ofSeconds(8);

    /** Within which time after SIGTERM a process ends, also where ZooKeeper does not answer. */
    private static final Duration ENDED = Duration.ofSeconds(16);

    /** What {@code shutdownWaitPeriod} is in the file; less what a request may take that is sent at its end. */
    private static final Duration NOTICE = Duration.ofMillis(2_700);

    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration EVER = Duration.ofHours(1);
    private static final List<Scheme<?>> SCHEMES = List.of(
            new SnoScheme(0, 1, 1), new MuidScheme(), new EightByteScheme(0), new Uid60Scheme(Duration.ofHours(1)));
    private static final Tree TREE = new Tree("/id-allocator");
    private static final Pattern LEASE_ABANDONED = Pattern.compile("lease abandoned scheme=(\\w+)");
    private static final int SILENT = 10;
    private static final int DRIPPING = 3;
    private static final int WAITING = 30;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AutoClose
    private final ZooKeepers zookeeper = ZooKeepers.alone();

    private volatile boolean ended;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @AfterEach
    void end() throws Exception {
        clients.shutdownNow();
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    /** There is one slot of sno. */
    private ReplicaProcess start(String name) {
        FirstStart.withoutWaiting(AllocatorSettings.of(SCHEMES, ZooKeeperSettings.of(zookeeper.connectString())));
        return opened(ReplicaProcess.shipped(
                directory,
                name,
                zookeeper.connectString(),
                Map.of("schemes.sno.partitions", "1", "schemes.sno.shards", "1")));
    }

    private static void requireEnded(ReplicaProcess replica, long fromNanos) {
        assertEquals(EXIT_ON_SIGTERM, replica.process().awaitEnd(HangGuard.TIME.toSeconds()));
        Duration exited = Duration.ofNanos(System.nanoTime() - fromNanos);
        assertTrue(exited.compareTo(ENDED) < 0, () -> "ended after " + exited);
    }

    /** The only slot of sno goes from the first to the second. */
    @Test
    void shouldGiveAllSlotsBackInOrderWhateverHangsOnIt() throws Exception {
        ReplicaProcess first = start("first").awaitReady();
        ReplicaProcess second = start("second");
        await().until(() -> second.status("/ids/uid60") == 200);
        assertEquals(503, second.status("/ids/sno"));

        stopWithinEightSeconds(first);

        await().atMost(Duration.ofSeconds(5)).until(() -> second.status("/ids/sno") == 200);
        second.awaitReady();
        requireServesOnWhenResumedDuringTheNotice(second);
        requireServesUntilTheNoticeIsOver(second);
    }

    private void stopWithinEightSeconds(ReplicaProcess replica) throws Exception {
        Admin admin = opened(Admin.of(zookeeper.connectString()));
        List<SlowReader> streams = Stream.generate(() -> opened(SlowReader.of(replica.uri("/ids/gid?count=100000000"))))
                .limit(SILENT + DRIPPING)
                .toList();
        callAgainAndAgain(replica);
        Onlooker ids = opened(new Onlooker(replica.uri("/ids/sno")));
        Onlooker ready = opened(new Onlooker(replica.uri("/health-check")));
        assertTrue(streams.stream().allMatch(stream -> stream.read(1_024) && stream.begins("HTTP/1.1 200 ")));
        List<? extends Future<?>> drips = streams.subList(0, DRIPPING).stream()
                .map(stream -> clients.submit(() -> drip(stream)))
                .toList();
        CompletableFuture<HttpResponse<String>> batch =
                send(HttpRequest.newBuilder(replica.uri("/ids/uid60?count=10000")));

        long from = System.nanoTime();
        replica.process().terminate();
        await().pollInterval(Duration.ofMillis(20))
                .atMost(GIVEN_BACK)
                .ignoreExceptions() // a slot was given back just now, or where the machine is slow, it connects again
                .until(() -> slots(admin, "first").isEmpty());
        requireEnded(replica, from);
        ids.close();
        ready.close();

        requireReleased(admin);
        assertNull(admin.curator().checkExists().forPath(TREE.member("first")), "its session ends with the process");
        assertEquals(Set.of(200), Set.copyOf(ids.statuses(from, Duration.ZERO, NOTICE)));
        assertTrue(Set.of(200, 503, Onlooker.NONE).containsAll(ids.statuses(from, NOTICE, EVER)));
        assertFalse(ready.statuses(from, SOON, EVER).contains(200), "it was ready a second after SIGTERM");
        ended = true;
        for (Future<?> drip : drips) {
            drip.get(HangGuard.MINUTES, TimeUnit.MINUTES);
        }
        for (SlowReader stream : streams) {
            assertFalse(stream.endsWhole(), "a stream that was cut off ends as if it were whole");
        }
        ExecutionException failed =
                assertThrows(ExecutionException.class, () -> batch.get(HangGuard.MINUTES, TimeUnit.MINUTES));
        assertTrue(failed.getCause() instanceof IOException, failed::toString);
    }

    /** Reads ten kilobytes a second, and what is left at once when the replica has ended. */
    private void drip(SlowReader stream) {
        while (stream.read(512)) {
            LockSupport.parkNanos(ended ? 0 : 50_000_000);
        }
    }

    /** Callers that wait for uid60s, and an operator who rotates, looks, and is slow in sending a call. */
    private void callAgainAndAgain(ReplicaProcess replica) {
        for (int i = 0; i < WAITING; i++) {
            again(HttpRequest.newBuilder(replica.uri("/ids/uid60?count=64")));
        }
        again(HttpRequest.newBuilder(replica.adminUri("/leases")));
        again(task(replica, "rotate?scheme=eightbyte"));
        opened(SlowReader.sending(
                replica.adminUri("/tasks/log-level"),
                "POST /tasks/log-level HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\nAuthorization: Bearer "
                        + ReplicaProcess.ADMIN_TOKEN + "\r\n\r\nlogger="));
    }

    private void again(HttpRequest.Builder request) {
        HttpRequest built = request.timeout(HangGuard.TIME).build();
        clients.execute(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    http.send(built, BodyHandlers.discarding());
                    LockSupport.parkNanos(50_000_000);
                }
            } catch (IOException e) {
                // the replica has ended
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static HttpRequest.Builder task(ReplicaProcess replica, String task) {
        return HttpRequest.newBuilder(replica.adminUri("/tasks/" + task))
                .header("Authorization", "Bearer " + ReplicaProcess.ADMIN_TOKEN)
                .POST(BodyPublishers.noBody());
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
        return http.sendAsync(request.timeout(HangGuard.TIME).build(), BodyHandlers.ofString());
    }

    /** The slots that a replica holds, as ZooKeeper says. */
    private static List<String> slots(Admin admin, String instance) throws Exception {
        List<String> held = new ArrayList<>();
        for (Scheme<?> scheme : SCHEMES) {
            String leases = TREE.leases(scheme.pool().orElseThrow());
            for (String slot : admin.curator().getChildren().forPath(leases)) {
                if (admin.read(leases + "/" + slot).contains("\"" + instance + "\"")) {
                    held.add(leases + "/" + slot);
                }
            }
        }
        return held;
    }

    /** Of each slot that nobody holds, the record says that its last tenure ended in order. */
    private static void requireReleased(Admin admin) throws Exception {
        for (Scheme<?> scheme : SCHEMES) {
            SlotPool pool = scheme.pool().orElseThrow();
            List<String> held = admin.curator().getChildren().forPath(TREE.leases(pool));
            for (String slot : admin.curator().getChildren().forPath(TREE.records(pool))) {
                String path = TREE.records(pool) + "/" + slot;
                SlotRecord record = Payloads.read(path, admin.read(path), SlotRecord.class);
                assertTrue(held.contains(slot) || record.released(), path + ": " + record);
            }
        }
    }

    /** Begins a drain, of which health checks tell at once. */
    private CompletableFuture<HttpResponse<String>> drain(ReplicaProcess replica) {
        CompletableFuture<HttpResponse<String>> drain = send(task(replica, "drain"));
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> !replica.ready());
        // each check is scheduled by itself
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> replica.status("/health-check?name=sno") == 503);
        return drain;
    }

    private void requireServesOnWhenResumedDuringTheNotice(ReplicaProcess replica) throws Exception {
        Onlooker ids = opened(new Onlooker(replica.uri("/ids/sno")));
        long from = System.nanoTime();
        CompletableFuture<HttpResponse<String>> drain = drain(replica);
        assertEquals(
                200,
                http.send(task(replica, "resume").build(), BodyHandlers.ofString())
                        .statusCode());

        assertEquals(409, drain.get(1, TimeUnit.SECONDS).statusCode());
        replica.awaitReady();
        ids.close();
        assertEquals(Set.of(200), Set.copyOf(ids.statuses(from, Duration.ZERO, EVER)));
    }

    private void requireServesUntilTheNoticeIsOver(ReplicaProcess replica) throws Exception {
        Onlooker ids = opened(new Onlooker(replica.uri("/ids/sno")));
        long from = System.nanoTime();
        HttpResponse<String> done = drain(replica).get(10, TimeUnit.SECONDS);
        assertEquals(200, done.statusCode(), done.body());
        assertEquals(503, replica.status("/ids/sno"));
        ids.close();
        assertEquals(Set.of(200), Set.copyOf(ids.statuses(from, Duration.ZERO, NOTICE)));
    }

    /**
     * What was ordered waits for ZooKeeper, and ends with an answer that is whole, or with a connection that is closed.
     */
    @Test
    void shouldEndInTimeAndNameEachSlotThatIsNotGivenBackAlsoWhenOperatorsWait() throws Exception {
        ReplicaProcess drained = start("drained").awaitReady();
        zookeeper.pause(0);
        CompletableFuture<HttpResponse<String>> rotation = send(task(drained, "rotate?scheme=uid60"));
        CompletableFuture<HttpResponse<String>> drain = drain(drained);
        long from = System.nanoTime();
        drained.process().terminate();
        assertFalse(drain.isDone(), () -> "the drain did not wait: " + drain);
        requireEnded(drained, from);

        String log = Files.readString(directory.resolve("drained.log"));
        assertEquals(
                SCHEMES.stream().map(Scheme::name).sorted().toList(),
                LEASE_ABANDONED
                        .matcher(log)
                        .results()
                        .map(found -> found.group(1))
                        .sorted()
                        .toList(),
                log);
        assertFalse(log.contains("Client is not started"), log);
        for (CompletableFuture<HttpResponse<String>> call : List.of(drain, rotation)) {
            try {
                HttpResponse<String> answer = call.get(HangGuard.MINUTES, TimeUnit.MINUTES);
                assertTrue(Set.of(200, 202, 409, 503).contains(answer.statusCode()), () -> answer + answer.body());
                assertFalse(answer.body().isBlank(), answer::toString);
            } catch (ExecutionException e) {
                assertTrue(e.getCause() instanceof IOException, e::toString);
            }
        }
    }
}
