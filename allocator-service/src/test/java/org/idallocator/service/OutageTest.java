package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.embedded.OwnZooKeeper;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.testing.TcpProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an ID says is said during an outage of ZooKeeper, too, and at once. */
class OutageTest {
    /** One after the other. If each waited for ZooKeeper's answer, all would take far longer than allowed. */
    private static final int MANY = 200;

    private static final Duration AT_ONCE = Proof.size(HangGuard.TIME, Duration.ofSeconds(5));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    private static JsonNode decode(RunningService service) {
        return service.app().json("/ids/sno/9q7qmwq2222dhi22");
    }

    private static String unknown(JsonNode said) {
        assertEquals("sno", said.path("scheme").asText(), said.toString());
        assertTrue(said.has("holder") && said.path("holder").isNull(), said.toString());
        return said.path("holderUnknown").asText();
    }

    private static void awaitKnown(RunningService service) {
        await().until(() -> unknown(decode(service)).isEmpty());
    }

    /** What was asked a moment ago is told for a while. */
    private static void awaitUnknown(RunningService service) {
        await().until(() -> !unknown(decode(service)).isEmpty());
    }

    private static void assertAllUnknownAtOnce(RunningService service) {
        assertTimeoutPreemptively(
                AT_ONCE,
                () -> IntStream.range(0, MANY)
                        .forEach(i -> assertFalse(unknown(decode(service)).isEmpty())));
    }

    @Test
    @ProofOnly("waits through an outage")
    void shouldTellUnknownHoldersFromNobodyAtOnce() {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                TcpProxy line = TcpProxy.to(zookeeper.connect(), Duration.ZERO);
                RunningService service = RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.enabled=false",
                        "zookeeper.sessionTimeout=4s",
                        "window=4s",
                        "tellWhereabouts=true",
                        "zookeeper.connect=" + line.address())) {
            awaitKnown(service);

            line.blackhole();
            awaitUnknown(service);
            assertAllUnknownAtOnce(service);

            // later the client itself notices that nothing answers
            await().until(() -> unknown(decode(service)).equals("not connected to ZooKeeper"));
            assertAllUnknownAtOnce(service);

            line.heal();
            awaitKnown(service);
        }
    }
}
