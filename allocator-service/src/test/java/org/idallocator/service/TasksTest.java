package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators have a replica do, on its admin port. */
@ExtendWith(SharedService.class)
class TasksTest {
    private static final String JSON = "application/json";
    private static final String TOKEN = "Authorization: Bearer " + RunningService.TOKEN + "\r\n";

    private final RunningService service;

    TasksTest(RunningService service) {
        this.service = service;
    }

    @AfterEach
    void serve() {
        assertEquals(200, call("resume", "*/*").statusCode());
        service.awaitServing();
    }

    private HttpResponse<String> call(String task, String accept) {
        return service.admin().send("POST", "/tasks/" + task, accept);
    }

    private List<String> slots(String scheme) {
        return service.app().json("/leases").path("leases").findParents("slot").stream()
                .filter(lease -> lease.path("scheme").asText().equals(scheme))
                .map(lease -> lease.path("slot").asText())
                .toList();
    }

    /** The value that a scrape has; not a number where it has none. */
    private double scraped(String series) {
        return service.admin()
                .get("/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    @Test
    void shouldServeNothingWhileDrainedAndServeAgainWhenResumed() {
        JsonNode drained = Http.json(call("drain", JSON));
        assertTrue(
                drained.path("drained").asBoolean() && drained.path("givenBack").asBoolean(), drained.toString());
        assertEquals(
                List.of("sno", "muid", "eightbyte", "uid60"),
                drained.path("slots").findValuesAsText("scheme"));

        HttpResponse<String> refused = service.app().get("/ids/sno");
        assertAll(
                () -> assertEquals(503, refused.statusCode()),
                () -> assertEquals("drained", Http.json(refused).path("reason").asText()),
                () -> assertEquals("1", Http.header(refused, "Retry-After")),
                () -> assertEquals(503, service.app().status("/ids/gid")),
                () -> assertEquals(0, scraped("id_allocator_slots{count=\"serving\",scheme=\"sno\"}")),
                () -> assertEquals(1, scraped("id_allocator_slots{count=\"min\",scheme=\"sno\"}")),
                () -> assertEquals(200, service.app().status("/health-check?type=alive")),
                () -> assertEquals(
                        0, service.app().json("/leases").path("leases").size()),
                () -> assertEquals(
                        0L,
                        service.admin().json("/leases/sno").at("/pools/0/held").asLong(-1)),
                () -> assertEquals(
                        "{\"drained\":true,\"givenBack\":true,\"slots\":[]}\n",
                        call("drain", "*/*").body()));

        JsonNode resumed = Http.json(call("resume", JSON));
        assertTrue(resumed.path("resumed").asBoolean(), resumed.toString());
        assertTrue(resumed.path("fenced").isArray(), resumed.toString());
        service.awaitServing();
        assertEquals(200, service.app().status("/ids/sno"));
        assertEquals(
                "{\"resumed\":false,\"fenced\":[]}\n", call("resume", "*/*").body());
    }

    /** The check runs four times in a second. */
    @Test
    void shouldNotBeReadyWithinASecondWhenDrained() {
        assertEquals(200, call("drain", "*/*").statusCode());

        await().atMost(Proof.size(HangGuard.TIME, Duration.ofSeconds(1)))
                .until(() -> service.app().status("/health-check") == 503);
        String checks = service.admin().get("/healthcheck").body();
        assertTrue(checks.contains("this replica was drained by its operator"), checks);
    }

    @Test
    void shouldChangeTheSlotOfASchemeAndSayForWhich() {
        String before = slots("eightbyte").get(0);
        String said = Http.json(call("rotate?scheme=eightbyte", "*/*"))
                .at("/rotated/0/to")
                .asText();
        String between = slots("eightbyte").get(0);
        assertEquals(between, said);
        assertNotEquals(before, between);

        JsonNode json = Http.json(call("rotate?scheme=eightbyte", JSON));
        assertEquals(between, json.path("rotated").path(0).path("from").asText());
        assertEquals(
                slots("eightbyte").get(0),
                json.path("rotated").path(0).path("to").asText());
        assertEquals("eightbyte", json.path("scheme").asText());
        assertTrue(json.path("done").asBoolean());
        assertEquals(1, slots("eightbyte").size());
    }

    @Test
    void shouldRefuseToRotateWhileDrained() {
        assertEquals(200, call("drain", "*/*").statusCode());
        HttpResponse<String> refused = call("rotate?scheme=sno", JSON);

        assertEquals(503, refused.statusCode());
        assertEquals("drained", Http.json(refused).path("reason").asText());
        assertEquals("1", Http.header(refused, "Retry-After"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            rotate              | 400 | scheme must be one of those in /leases: it is missing
            rotate?scheme=nope  | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            rotate?scheme=gid   | 404 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            """)
    void shouldSayWhatIsWrong(String task, int status, String detail) {
        assertEquals(status, call(task, "text/plain").statusCode());
        assertEquals(detail + "\n", call(task, "text/plain").body());
        assertEquals(detail, Http.json(call(task, JSON)).path("detail").asText());
    }

    /** Dropwizard's own words, which are none. */
    @Test
    void shouldRefuseATaskThatThereIsNot() {
        assertEquals(404, call("nope", JSON).statusCode());
        assertEquals(200, call("gc", "*/*").statusCode());
    }

    @Test
    void shouldRefuseAQueryThatCannotBeRead() {
        String answer = service.admin()
                .raw("POST /tasks/rotate?scheme=%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + TOKEN
                        + "\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("\"detail\":\"Unable to parse URI query\""), answer);
    }

    @ParameterizedTest
    @CsvSource({"drain", "resume", "rotate?scheme=sno"})
    void shouldTakePostAlone(String task) {
        HttpResponse<String> refused = service.admin().get("/tasks/" + task);
        assertEquals(405, refused.statusCode());
        assertTrue(Http.header(refused, "Allow").contains("POST"), refused.toString());
        assertTrue(Http.detail(refused).endsWith("POST: GET"), refused.body());
        assertEquals(200, service.app().status("/ids/sno"));
    }

    /** Whoever owns a name may have it lead to this machine; then the browser takes the page for one of this port. */
    @Test
    void shouldRefuseAPageWhoseNameLeadsHereByItsOwnersWill() {
        assertEquals("403", resumed("evil.example:8081", "Origin: http://evil.example:8081\r\n"));
        assertEquals("200", resumed("localhost:8081", "Origin: http://localhost:8081\r\n"));
        assertEquals("403", resumed("evil.example:8081", ""));
        assertEquals("200", resumed("replicas.example:8081", "Origin: http://replicas.example:8081\r\n"), "configured");
    }

    private String resumed(String host, String header) {
        String head = "POST /tasks/resume HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n";
        return service.admin().raw(head + TOKEN + header + "\r\n").split(" ", 3)[1];
    }

    /** Any page may have a browser send a POST to a port that the browser reaches. */
    @ParameterizedTest
    @CsvSource({"https://shop.example.com, 403", "null, 403", "http://localhost, 403", "%, 403", "OWN, 200"})
    void shouldRefuseAPageOfAnotherOrigin(String origin, int status) {
        String own = "http://localhost:" + service.admin().port();
        HttpResponse<String> response = service.admin()
                .send(service.admin()
                        .request("/tasks/drain")
                        .method("POST", BodyPublishers.noBody())
                        .header("Origin", origin.equals("OWN") ? own : origin));

        assertEquals(status, response.statusCode());
        assertEquals(status == 200 ? 503 : 200, service.app().status("/ids/sno"));
    }
}
