package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica gives that holds eight slots of a scheme. */
@ProofOnly("a minute of processes of their own, and two cores that nobody else uses")
final class SeveralSlotsIT {
    private static final int SLOTS = 8;
    private static final int A_SECOND = 1_024;
    private static final int SECONDS = 20;
    private static final int CLIENTS = 4;
    private static final int SHARDS = 64;
    private static final int SEQUENCES = Sno.MAX_SEQUENCE + 1;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private ReplicaProcess start(String name, String schemes) {
        String settings = """
                zookeeper: {embedded: {enabled: true, dataDir: '%s'}}
                schemes: {%s}
                """.formatted(directory.resolve(name), schemes);
        return ReplicaProcess.start(directory, name, settings, List.of("-Xmx256m", "-XX:TieredStopAtLevel=4"))
                .awaitReady();
    }

    private static long held(ReplicaProcess replica, String scheme) {
        return Pattern.compile("\"scheme\":\"" + scheme + "\"")
                .matcher(replica.answer("/leases"))
                .results()
                .count();
    }

    /** 99 % of 8,192 a second; from IDs alone, which say their second. */
    @Test
    void shouldReachTheCapOfEightWorkers() throws Exception {
        try (ReplicaProcess replica = start("eight", "uid60: {leases: " + SLOTS + "}")) {
            Map<Long, LongAdder> bySecond = new ConcurrentHashMap<>();
            DuplicateChecker checker = new DuplicateChecker();
            long from = System.nanoTime();
            AtomicLong grown = new AtomicLong();
            askUntil(
                    replica,
                    "/ids/uid60?count=3000",
                    line -> {
                        Uid60 id = Uid60.parse(line);
                        checker.accept(id.high(), id.low());
                        bySecond.computeIfAbsent(id.timestampS(), second -> new LongAdder())
                                .increment();
                    },
                    () -> {
                        if (grown.get() == 0 && held(replica, "uid60") == SLOTS) {
                            grown.set(System.nanoTime());
                        }
                        return grown.get() != 0
                                && System.nanoTime() - grown.get() > TimeUnit.SECONDS.toNanos(SECONDS + 5);
                    });
            checker.requireNone();
            double share = share(bySecond);
            System.out.printf(
                    "%d slots after %d ms; then %.2f %% of %d uid60s a second, for %d s; %d IDs, none twice%n",
                    SLOTS, (grown.get() - from) / 1_000_000, 100 * share, SLOTS * A_SECOND, SECONDS, checker.seen());
            assertTrue(share >= 0.99, () -> "part of the cap: " + share + ", by second " + bySecond);
        }
    }

    /** What the replica gives comes from more than one slot, and no two of the IDs are equal. */
    @Test
    void shouldServeSnosOfSeveralSlots() throws Exception {
        String scheme = "sno: {shards: " + SHARDS + ", leases: " + SLOTS + "}";
        try (ReplicaProcess replica = start("several", scheme)) {
            DuplicateChecker checker = new DuplicateChecker();
            Set<Integer> slots = ConcurrentHashMap.newKeySet();
            askUntil(
                    replica,
                    "/ids/sno?count=100000",
                    line -> {
                        Sno id = Sno.parse(line);
                        checker.accept(id.high(), id.low());
                        slots.add(id.partition() * SHARDS + id.sequence() / (SEQUENCES / SHARDS));
                    },
                    () -> slots.size() > 1 && held(replica, "sno") > 1);
            checker.requireNone();
            System.out.printf("%d snos of the slots %s, none twice%n", checker.seen(), slots);
        }
    }

    /** What was given in the last whole seconds that all clients still asked in, as a part of what eight slots have. */
    private static double share(Map<Long, LongAdder> bySecond) {
        long last = bySecond.keySet().stream().mapToLong(second -> second).max().orElseThrow() - 3; // answers under way
        long given = LongStream.rangeClosed(last - SECONDS + 1, last)
                .map(second -> bySecond.getOrDefault(second, new LongAdder()).sum())
                .sum();
        return given / ((double) SLOTS * A_SECOND * SECONDS);
    }

    private Stream<String> lines(ReplicaProcess replica, String path) {
        try {
            return http.send(request(replica, path), BodyHandlers.ofLines()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it asked", e);
        }
    }

    private static HttpRequest request(ReplicaProcess replica, String path) {
        return HttpRequest.newBuilder(replica.uri(path))
                .header("Accept", "text/plain")
                .timeout(HangGuard.TIME)
                .build();
    }

    /** Four clients ask all the time, and each ID goes to {@code sink}, until {@code enough}. */
    private void askUntil(ReplicaProcess replica, String path, Consumer<String> sink, Callable<Boolean> enough)
            throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<?>> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> {
                    while (!stop.get()) {
                        lines(replica, path).forEach(sink);
                    }
                }));
            }
            await().until(enough);
            stop.set(true);
            for (Future<?> client : clients) {
                client.get(HangGuard.MINUTES, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
