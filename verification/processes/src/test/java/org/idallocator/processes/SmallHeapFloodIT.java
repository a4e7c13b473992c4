package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Strangers who send little that takes much memory, to a replica with the heap of the image. {@code bench.jar overload}
 * measures them.
 */
final class SmallHeapFloodIT {
    private static final String SETTINGS = """
            zookeeper:
              embedded:
                enabled: true
                dataDir: %s
            """;

    private static final String TINY_CHUNKS = "POST /ids/sno HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "1\r\na\r\n".repeat(8_191);
    private static final String TINY_FIELDS = "GET /ids/sno HTTP/1.1\r\nHost: localhost\r\n" + "a:b\r\n".repeat(1_600);

    /** As many fields as are allowed, of as many bytes. */
    private static final String HALF_A_HEAD =
            "GET /ids/sno HTTP/1.1\r\nHost: localhost\r\n" + ("a: " + "b".repeat(70) + "\r\n").repeat(98);

    /**
     * Each answer has 370 KB. The operating system takes the first ones, and the one behind these stays in the heap.
     */
    private static final String UNREAD =
            "GET /ids/gid?count=10000&form=uuid HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20);

    private static final String ONE_ID = "GET /ids/sno HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String SERVED = "HTTP/1.1 200 ";

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(Proof.size(3, 8));

    /** Many times as many as there may be, of which those that are too many wait to be let in. */
    private static final int HALVES_OF_HEADS = 5_000;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static ReplicaProcess replica;

    private final List<SlowReader> strangers = new ArrayList<>();

    /** One for all tests: it has to outlive what strangers have sent before, too. */
    @BeforeAll
    static void start() {
        String settings = SETTINGS.formatted(directory.resolve("data"));
        List<String> asTheImage = List.of("-Xmx72m", "-XX:+ExitOnOutOfMemoryError");
        replica = ReplicaProcess.start(directory, "small", settings, asTheImage).awaitReady();
    }

    @AfterAll
    static void stop() {
        replica.close();
    }

    @AfterEach
    void goAway() {
        strangers.forEach(SlowReader::close);
    }

    private void send(int connections, String request) {
        for (int i = 0; i < connections; i++) {
            try {
                strangers.add(SlowReader.sending(replica.uri("/"), request));
            } catch (AssertionError e) {
                assertAlive(); // else it was refused while it sent
            }
        }
    }

    private void assertServes() {
        await().failFast(this::assertAlive).until(this::servesWhoComesLast);
        assertAlive();
    }

    /** On a connection of its own, which is let in behind those of all strangers. */
    private boolean servesWhoComesLast() {
        try (SlowReader last = SlowReader.sending(replica.uri("/"), ONE_ID)) {
            return last.read(SERVED.length()) && last.begins(SERVED);
        }
    }

    private void assertAlive() {
        assertTrue(replica.process().alive(), replica.process().tail());
    }

    @Test
    void shouldOutliveBodiesInTinyChunks() {
        send(600, TINY_CHUNKS);

        assertServes();
    }

    @Test
    @ProofOnly("ConnectionsTest has how many fields a head may have")
    void shouldOutliveHeadsOfManyFields() {
        send(600, TINY_FIELDS);

        assertServes();
    }

    @Test
    @ProofOnly("the unread answers come with a thousand of these")
    void shouldOutliveManyHalvesOfHeads() {
        send(HALVES_OF_HEADS, HALF_A_HEAD);

        assertServes();
        assertEquals(200, replica.status("/health-check?type=alive"));
    }

    /** Each alone would have room in the heap. */
    @Test
    void shouldOutliveAnswersThatNobodyReadsAndHalvesOfHeads() {
        send(96, UNREAD);
        assertLivesOn();
        send(1_056, HALF_A_HEAD);

        assertLivesOn();
        assertServes();
        assertServesAllWhenTheyHaveGone();
    }

    /** While the answers fill what the operating system takes of them, and then the heap. */
    private void assertLivesOn() {
        await().failFast(this::assertAlive)
                .during(LONG_ENOUGH)
                .until(() -> replica.process().alive());
    }

    private void assertServesAllWhenTheyHaveGone() {
        strangers.forEach(SlowReader::close);
        await().failFast(this::assertAlive).until(() -> replica.status("/ids/gid?count=10000") == 200);
    }
}
