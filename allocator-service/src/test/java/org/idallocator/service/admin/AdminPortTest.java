package org.idallocator.service.admin;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.ActLines;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators see of all replicas, and have one do, on its admin port. */
@ExtendWith(SharedService.class)
class AdminPortTest {
    private static final List<String> LEASED = List.of("sno", "muid", "eightbyte", "uid60");

    private final RunningService service;

    AdminPortTest(RunningService service) {
        this.service = service;
    }

    @AfterEach
    void serve() {
        done("resume");
        service.awaitServing();
    }

    private HttpResponse<String> send(String method, String path) {
        return service.admin().send(method, path, "*/*");
    }

    private JsonNode done(String task) {
        HttpResponse<String> answer = send("POST", "/tasks/" + task);
        assertEquals(200, answer.statusCode(), answer.body());
        return Http.json(answer);
    }

    private List<String> slotsOfEightbyte() {
        return service.app().json("/leases").path("leases").findParents("slot").stream()
                .filter(lease -> lease.path("scheme").asText().equals("eightbyte"))
                .map(lease -> lease.path("slot").asText())
                .toList();
    }

    private JsonNode held(String scheme) {
        return service.admin()
                .json("/leases/" + scheme)
                .path("leases")
                .valueStream()
                .filter(slot -> slot.path("state").asText().equals("held"))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static String nonce(JsonNode held) {
        return held.at("/lease/nonce").asText();
    }

    @Test
    void shouldServeNothingWhileDrainedAndServeAgainWhenResumed() {
        JsonNode drained = done("drain");
        await().atMost(Proof.size(HangGuard.TIME, Duration.ofSeconds(1))) // the check runs four times in that
                .until(() -> service.app().status("/health-check") == 503);
        String checks = service.admin().get("/healthcheck").body();
        String scraped = service.admin().get("/prometheus").body();

        assertTrue(
                drained.path("drained").asBoolean() && drained.path("givenBack").asBoolean(), drained.toString());
        assertEquals(LEASED, drained.path("slots").findValuesAsText("scheme"));
        for (HttpResponse<String> refused :
                List.of(service.app().get("/ids/sno"), send("POST", "/tasks/rotate?scheme=sno"))) {
            assertEquals(503, refused.statusCode());
            assertEquals("drained", Http.json(refused).path("reason").asText());
            assertEquals("1", Http.header(refused, "Retry-After"));
        }
        assertEquals(503, service.app().status("/ids/gid"));
        assertTrue(checks.contains("this replica was drained by its operator"), checks);
        assertTrue(scraped.contains("\nid_allocator_slots{count=\"serving\",scheme=\"sno\"} 0.0\n"), scraped);
        assertTrue(scraped.contains("\nid_allocator_slots{count=\"min\",scheme=\"sno\"} 1.0\n"), scraped);
        assertTrue(scraped.contains("\nid_allocator_slots{count=\"max\",scheme=\"sno\"} 1.0\n"), scraped);
        assertEquals(200, service.app().status("/health-check?type=alive"));
        assertEquals(0, service.app().json("/leases").path("leases").size());
        assertEquals(0, service.admin().json("/leases/sno").at("/pools/0/held").asInt(-1));
        assertEquals(
                "{\"drained\":true,\"givenBack\":true,\"slots\":[]}\n",
                send("POST", "/tasks/drain").body());

        JsonNode resumed = done("resume");
        assertTrue(resumed.path("resumed").asBoolean() && resumed.path("fenced").isArray(), resumed.toString());
        service.awaitServing();
        assertEquals(200, service.app().status("/ids/sno"));
        assertEquals(
                "{\"resumed\":false,\"fenced\":[]}\n",
                send("POST", "/tasks/resume").body());
    }

    @Test
    void shouldChangeTheSlotOfASchemeAndSayForWhich() {
        List<String> before = slotsOfEightbyte();
        JsonNode said = done("rotate?scheme=eightbyte");
        List<String> after = slotsOfEightbyte();

        assertEquals(1, after.size());
        assertNotEquals(before, after);
        assertEquals(before, said.path("rotated").findValuesAsText("from"));
        assertEquals(after, said.path("rotated").findValuesAsText("to"));
        assertEquals("eightbyte", said.path("scheme").asText());
        assertTrue(said.path("done").asBoolean());
    }

    @Test
    void shouldShowTheSameLeaseInEveryList() {
        JsonNode held = held("uid60");

        assertEquals(36, nonce(held).length(), held.toString());
        for (String path : List.of("", "/uid60", "/uid60/" + held.path("slot").asText())) {
            String list = service.admin().get("/leases" + path).body();
            assertTrue(list.contains(nonce(held)), list);
        }
        assertEquals(
                "0004", service.admin().json("/leases/sno/4").path("slot").asText(), "with or without leading zeros");
    }

    @Test
    void shouldTakeASlotAwayFromTheTenureThatIsMeant() {
        JsonNode before = held("eightbyte");
        String slot = before.path("slot").asText();
        String path = "/leases/eightbyte/" + slot + "?nonce=";
        String free = "/leases/eightbyte/" + (slot.equals("63") ? "62" : "63") + "?nonce=x";

        assertEquals(
                "nobody holds the slot, and tenure x was not the last to hold it", Http.detail(send("DELETE", free)));
        assertEquals(409, send("DELETE", free).statusCode());
        assertEquals(409, send("DELETE", path + "not-" + nonce(before)).statusCode());
        assertEquals(nonce(before), nonce(held("eightbyte")));
        assertEquals(200, send("DELETE", path + nonce(before)).statusCode());
        await().until(
                        () -> held("eightbyte"),
                        now -> now.isObject() && !nonce(now).equals(nonce(before)));
        assertEquals(409, send("DELETE", path + nonce(before)).statusCode());
    }

    @Test
    void shouldTellTheLogWhatIsAskedFor() {
        try (ActLines log = new ActLines()) {
            done("resume");
            send("DELETE", "/leases/eightbyte/63?nonce=x");

            await().untilAsserted(() -> assertEquals(
                    List.of(
                            "act passed status=200 address=127.0.0.1 method=POST path=/tasks/resume certificate=none",
                            "act passed status=409 address=127.0.0.1 method=DELETE path=/leases/eightbyte/63"
                                    + " certificate=none"),
                    log.lines()));
        }
    }

    @Test
    void shouldCountThePools() {
        service.awaitReady();
        JsonNode pools = service.admin().json("/leases").path("pools");

        assertEquals(LEASED, pools.findValuesAsText("scheme"));
        for (JsonNode pool : pools) {
            long sum = Stream.of("held", "free", "cooling", "retired", "unreadable")
                    .mapToLong(state -> pool.path(state).longValue())
                    .sum();
            assertEquals(pool.path("size").longValue(), sum, pool.toString());
        }
        assertEquals(1L << 48, pools.get(1).path("size").longValue());
        assertEquals(1, service.admin().json("/leases/uid60").path("pools").size());
    }

    @Test
    void shouldShowTheFleet() {
        service.awaitReady();
        JsonNode lease = held("sno");
        JsonNode fleet = service.admin().json("/fleet");
        JsonNode member = fleet.path("members").get(0);
        Instant since = Instant.parse(member.path("since").asText());

        assertEquals(service.admin().json("/leases").path("zookeeper"), fleet.path("zookeeper"));
        assertEquals(1, fleet.path("members").size(), fleet.toString());
        for (String word : List.of("instance", "host", "pid", "url", "session")) {
            assertEquals(lease.path("lease").get(word), member.get(word), word);
        }
        assertTrue(member.path("version").asText().matches("[0-9]+\\.[0-9]+\\..*"), member.toString());
        assertTrue(member.has("clockOffsetMillis"), member.toString());
        assertTrue(since.isBefore(Instant.parse(lease.path("since").asText())));
        assertEquals(
                LEASED.stream().sorted().toList(),
                member.path("slots").findValuesAsText("scheme").stream()
                        .sorted()
                        .toList());
        assertTrue(member.path("slots")
                .findValuesAsText("slot")
                .contains(lease.path("slot").asText()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /leases/nope             | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            GET    | /leases/gid              | 404 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            GET    | /leases/eightbyte/64     | 400 | slot must be 00..63: 64
            GET    | /leases/eightbyte/x      | 400 | slot must be 00..63: x
            GET    | /leases/eightbyte/001    | 400 | slot must be 00..63: 001
            GET    | /leases/eightbyte/01/x   | 404 | there is nothing below a slot
            DELETE | /leases/eightbyte        | 400 | DELETE takes /leases/{scheme}/{slot}
            DELETE | /leases/eightbyte/1      | 400 | nonce must be the holder's, as GET shows it: it is missing
            POST   | /tasks/rotate            | 400 | scheme must be one of those in /leases: it is missing
            POST   | /tasks/rotate?scheme=no  | 404 | unknown scheme no; known are sno, muid, eightbyte, uid60, gid
            POST   | /tasks/rotate?scheme=gid | 404 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            GET    | /tasks/drain             | 405 | this path takes OPTIONS, POST: GET
            """)
    void shouldSayWhatIsWrong(String method, String path, int status, String detail) {
        HttpResponse<String> response = send(method, path);

        assertEquals(detail, Http.detail(response));
        assertEquals(status, response.statusCode());
        assertEquals(status == 405 ? "OPTIONS, POST" : "", Http.header(response, "Allow"));
        assertEquals(
                detail + "\n", service.admin().send(method, path, "text/plain").body());
    }
}
