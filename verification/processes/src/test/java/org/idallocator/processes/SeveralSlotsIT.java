package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.ProofOnly;
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

    /** Four clients ask all the time, until {@code enough}; each request is answered, and no two IDs are equal. */
    private static void ask(ReplicaProcess replica, Evidence<?> evidence, int count, Callable<Boolean> enough) {
        Clients clients = Clients.of(replica);
        try (clients) {
            IntStream.range(0, CLIENTS).forEach(i -> clients.start(evidence, count));
            await().until(enough);
        }
        assertEquals(List.of(), clients.failuresOf(replica));
        evidence.requireDistinct();
    }

    /** 99 % of 8,192 a second; from IDs alone, which say their second. */
    @Test
    void shouldReachTheCapOfEightWorkers() {
        Map<Long, LongAdder> bySecond = new ConcurrentHashMap<>();
        Evidence<?> evidence = Evidence.of(
                new Uid60Scheme(Duration.ofHours(1)),
                id -> bySecond.computeIfAbsent(id.timestampS(), second -> new LongAdder())
                        .increment());
        try (ReplicaProcess replica = start("eight", "uid60: {leases: " + SLOTS + "}")) {
            long from = System.nanoTime();
            AtomicLong grown = new AtomicLong();
            ask(replica, evidence, 3_000, () -> {
                if (grown.get() == 0 && held(replica, "uid60") == SLOTS) {
                    grown.set(System.nanoTime());
                }
                return grown.get() != 0 && System.nanoTime() - grown.get() > TimeUnit.SECONDS.toNanos(SECONDS + 5);
            });
            double share = share(bySecond);
            System.out.printf(
                    "%d slots after %d ms; then %.2f %% of %d uid60s a second, for %d s; none of %s twice%n",
                    SLOTS, (grown.get() - from) / 1_000_000, 100 * share, SLOTS * A_SECOND, SECONDS, evidence);
            assertTrue(share >= 0.99, () -> "part of the cap: " + share + ", by second " + bySecond);
        }
    }

    /** What the replica gives comes from more than one slot, and no two of the IDs are equal. */
    @Test
    void shouldServeSnosOfSeveralSlots() {
        Evidence<?> evidence = Evidence.of(new SnoScheme(0, 256, SHARDS));
        String scheme = "sno: {shards: " + SHARDS + ", leases: " + SLOTS + "}";
        try (ReplicaProcess replica = start("several", scheme)) {
            ask(replica, evidence, 100_000, () -> evidence.slots() > 1 && held(replica, "sno") > 1);
            System.out.println("none twice of " + evidence);
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
}
