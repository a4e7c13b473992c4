package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Where replicas run is told on the admin port, and on the application port where that is configured. */
@ExtendWith(SharedService.class)
@ProofOnly("a service of its own")
class WhereaboutsTest {
    private static final List<String> KEYS =
            List.of("instance", "host", "pid", "url", "session", "nonce", "path", "recordPath", "connect");
    private static final String STATE = "/console/state";

    /** All texts in an answer. */
    private static Stream<String> texts(JsonNode json) {
        return json.isTextual()
                ? Stream.of(json.textValue())
                : StreamSupport.stream(json.spliterator(), false).flatMap(WhereaboutsTest::texts);
    }

    private static List<JsonNode> answers(RunningService service, Http port) {
        String id = service.app().get("/ids/sno").body().strip();
        JsonNode state = await().until(
                        () -> port.json(STATE), seen -> seen.path("cluster").has("pools"));
        return List.of(
                port.json("/leases"),
                service.app().json("/ids"),
                service.inspected("/ids/sno/" + id),
                port.json("/console/read?id=" + id),
                state);
    }

    @Test
    void shouldTellStrangersNothingOfWhereReplicasRun(RunningService service) {
        service.awaitReady();
        JsonNode lease = service.lease("sno");
        List<String> secrets = Stream.of("instance", "host", "nonce", "session")
                .map(name -> lease.path(name).asText())
                .toList();
        for (JsonNode answer : answers(service, service.app())) {
            KEYS.forEach(key -> assertNull(answer.findValue(key), () -> key + " in " + answer));
            secrets.forEach(secret -> assertTrue(
                    texts(answer).noneMatch(text -> (" " + text + " ").contains(" " + secret + " ")),
                    () -> secret + " in " + answer));
        }
    }

    /**
     * Clients of both ports read the same words; this replica knows its slots at this moment, and ZooKeeper since the
     * last renewal.
     */
    @Test
    void shouldTellTheSameOnBothPortsWhereThatIsConfigured(@TempDir Path data) {
        try (RunningService service = RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.dataDir=" + data,
                        "zookeeper.sessionTimeout=60s",
                        "tellWhereabouts=true")
                .awaitReady()) {
            JsonNode held = service.app().json("/leases").path("leases").path(0);
            JsonNode all = service.admin().json("/leases");
            String path = "/leases/" + held.path("scheme").asText() + "/"
                    + held.path("slot").asText();
            JsonNode seen = service.admin().json(path);

            for (String word : List.of("scheme", "slot", "state", "since", "lease", "path")) {
                assertEquals(seen.get(word), held.get(word), word);
            }
            assertEquals("held", held.path("state").asText());
            assertEquals(held.path("lease").path("acquiredAt"), held.path("since"));
            assertEquals(held.path("lease").path("nonce"), held.path("nonce"), "where clients of before read it");
            assertTrue(held.path("lease").path("session").asText().startsWith("0x"), held.toString());
            assertFalse(held.path("lease").has("reservedThrough"), "the record says so");
            for (JsonNode lease : List.of(held, seen)) {
                long left = lease.path("timeLeftMillis").asLong();
                assertTrue(left > 0 && left <= 12_500, lease.toString());
                assertTrue(Instant.parse(lease.path("reservedThrough").asText())
                        .isAfter(Instant.parse(lease.path("since").asText())));
            }
            assertTrue(all.path("zookeeper").asText().matches("127\\.0\\.0\\.1:[0-9]+"), all.toString());
            assertEquals("/id-allocator", all.path("root").asText());
            assertFalse(service.app().json("/leases").has("zookeeper"), "that is for operators");
            assertEquals(
                    List.of(true, false, true, false, true),
                    answers(service, service.app()).stream()
                            .map(answer -> answer.findValue("instance") != null)
                            .toList());
        }
    }

    @Test
    void shouldNotNameZooKeeperWhereThatDoesNotAnswer() {
        String address = "127.0.0.1:1";
        try (RunningService service = RunningService.start(
                AllocatorApplication.class, "zookeeper.embedded.enabled=false", "zookeeper.connect=" + address)) {
            for (String path : List.of("/ids/sno", "/ids", STATE)) {
                String said = service.app().get(path).body();
                assertTrue(said.contains("connecting goes on by itself") || said.contains("claiming goes on"), said);
                assertFalse(said.contains(address), said);
            }
            assertTrue(service.admin().get("/healthcheck").body().contains(address));
        }
    }
}
