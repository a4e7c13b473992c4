package org.idallocator.processes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica gives that may hold up to eight slots of a scheme while its callers keep waiting. */
@ProofOnly("a minute of processes of their own, and two cores that nobody else uses")
final class DemandIT {
    private static final int MAX = 8;
    private static final int A_SECOND = 1_024;
    private static final int SECONDS = 20;
    private static final int MILLION = 1_000_000;
    private static final int ROUNDS = 21;
    private static final Duration GROWING = Duration.ofSeconds(20);
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(1);

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

    private static long held(ReplicaProcess replica, String scheme) throws IOException, InterruptedException {
        return Pattern.compile("\"scheme\":\"" + scheme + "\"")
                .matcher(replica.answer("/leases"))
                .results()
                .count();
    }

    /** 99 % of 8,192 a second, once there are eight slots; from IDs alone, which say their second. */
    @Test
    void shouldReachTheCapOfEightWorkers() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ReplicaProcess replica = start("eight", "uid60: {leases: {max: " + MAX + "}}")) {
            Map<Long, LongAdder> bySecond = new ConcurrentHashMap<>();
            DuplicateChecker checker = new DuplicateChecker();
            long from = System.nanoTime();
            List<Future<?>> clients = new ArrayList<>();
            AtomicBoolean stop = new AtomicBoolean();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit(() -> {
                    while (!stop.get()) {
                        lines(replica, "/ids/uid60?count=3000")
                                .map(Uid60::parse)
                                .forEach(id -> {
                                    checker.accept(id.high(), id.low());
                                    bySecond.computeIfAbsent(id.timestampS(), second -> new LongAdder())
                                            .increment();
                                });
                    }
                }));
            }
            await().atMost(ReplicaProcess.HANG_GUARD).until(() -> held(replica, "uid60") == MAX);
            long grown = System.nanoTime();
            await().atMost(ReplicaProcess.HANG_GUARD)
                    .until(() -> System.nanoTime() - grown > TimeUnit.SECONDS.toNanos(SECONDS + 5));
            stop.set(true);
            for (Future<?> client : clients) {
                client.get(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
            }
            checker.requireNone();
            double share = share(bySecond);
            System.out.printf(
                    "%d slots after %d ms; then %.2f %% of %d uid60s a second, for %d s; %d IDs, none twice%n",
                    MAX, (grown - from) / 1_000_000, 100 * share, MAX * A_SECOND, SECONDS, checker.seen());
            assertTrue(share >= 0.99, () -> "part of the cap: " + share + ", by second " + bySecond);
        } finally {
            threads.shutdownNow();
        }
    }

    /** What was given in the last whole seconds that all clients still asked in, as a part of what eight slots have. */
    private static double share(Map<Long, LongAdder> bySecond) {
        long last = bySecond.keySet().stream().mapToLong(second -> second).max().orElseThrow() - 3; // answers under way
        long given = LongStream.rangeClosed(last - SECONDS + 1, last)
                .map(second -> bySecond.getOrDefault(second, new LongAdder()).sum())
                .sum();
        return given / ((double) MAX * A_SECOND * SECONDS);
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
                .timeout(LONGEST_ANSWER)
                .build();
    }

    /** One slot has a sno every 244 ns, by default; a replica that may hold eight is limited by the machine alone. */
    @Test
    void shouldServeAMillionSnosFasterWhenThereMayBeMoreSlots() throws Exception {
        try (ReplicaProcess one = start("one", "sno: {}");
                ReplicaProcess more = start("more", "sno: {leases: {max: " + MAX + "}}")) {
            grow(more);
            for (int i = 0; i < ROUNDS; i++) {
                nanosAnId(one); // until as much of it is compiled
            }
            List<Double> ones = new ArrayList<>();
            List<Double> mores = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                ones.add(nanosAnId(one));
                mores.add(nanosAnId(more));
                ratios.add(mores.get(round) / ones.get(round));
            }
            double ratio = median(ratios);
            System.out.printf(
                    "a million snos: %.0f ns an ID with max 1, %.0f with max %d and %d slots: %.2f of it%n",
                    median(ones), median(mores), MAX, held(more, "sno"), ratio);
            assertTrue(ratio <= 0.7, () -> "ratios " + ratios);
        }
    }

    /** Asks for all there is until no slot is added any more. */
    private void grow(ReplicaProcess replica) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<?>> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                clients.add(threads.submit(() -> {
                    while (!stop.get()) {
                        nanosAnId(replica);
                    }
                    return null;
                }));
            }
            long from = System.nanoTime();
            await().atMost(ReplicaProcess.HANG_GUARD)
                    .until(() -> held(replica, "sno") > 1 && System.nanoTime() - from > GROWING.toNanos());
            stop.set(true);
            for (Future<?> client : clients) {
                client.get(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static double median(List<Double> figures) {
        return figures.stream().sorted().toList().get(figures.size() / 2);
    }

    private double nanosAnId(ReplicaProcess replica) throws IOException, InterruptedException {
        long from = System.nanoTime();
        try (InputStream body = http.send(request(replica, "/ids/sno?count=" + MILLION), BodyHandlers.ofInputStream())
                .body()) {
            long bytes = body.transferTo(OutputStream.nullOutputStream());
            assertTrue(bytes == 17L * MILLION, () -> bytes + " bytes");
        }
        return (System.nanoTime() - from) / (double) MILLION;
    }
}
