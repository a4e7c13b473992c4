package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedService.class)
class ConsoleTest {
    private static final String STATE = "/console/state";

    /** What the page loads, and what its scripts import. */
    private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"(console/[^\"]+)\"|from \"\\./([^\"]+)\"");

    private static List<Http> ports(RunningService service) {
        return List.of(service.app(), service.admin());
    }

    private static JsonNode seen(Http port) {
        return await().until(
                        () -> port.json(STATE), state -> state.path("cluster").has("pools"));
    }

    private static JsonNode first(JsonNode list, String pointer, String value) {
        return list.valueStream()
                .filter(each -> each.at(pointer).asText().equals(value))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode pool(JsonNode state, String scheme) {
        return first(state.at("/cluster/pools"), "/counts/scheme", scheme);
    }

    @Test
    void shouldServeThePageAtBothPathsOfBothPorts(RunningService service) {
        for (Http port : ports(service)) {
            String front = port.get("/").body();
            assertTrue(front.contains("<title>ID Allocator</title>"), front);
            assertEquals(front, port.get("/console").body());
            HttpResponse<String> below = port.get("/console/");
            assertEquals(301, below.statusCode());
            assertEquals("../console", Http.header(below, "Location"));
        }
    }

    /** Every address in the page is relative to where the page is. */
    @Test
    void shouldServeEveryFileThatThePageLoadsAndNothingFromElsewhere(RunningService service) {
        for (Http port : ports(service)) {
            String page = port.get("/").body();
            assertFalse(page.contains("//"), "an address of somewhere else");
            assertFalse(page.contains("<script>") || page.contains("style=") || page.contains("onclick"), "inline");
            Matcher loaded = LOADED.matcher(page + port.get("/console/app.js").body());
            int files = 0;
            while (loaded.find()) {
                String path = loaded.group(1) == null ? "/console/" + loaded.group(2) : "/" + loaded.group(1);
                assertEquals(200, port.get(path).statusCode(), path);
                files++;
            }
            assertTrue(files > 8, "files: " + files);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/, text/html;charset=utf-8",
        "/console/console.css, text/css;charset=utf-8",
        "/console/app.js, text/javascript;charset=utf-8",
        "/console/icon.svg, image/svg+xml;charset=utf-8"
    })
    void shouldKeepStrangersOutAndHaveNothingKept(String path, String type, RunningService service) {
        for (Http port : ports(service)) {
            HttpResponse<String> answer = port.get(path);
            HttpResponse<String> again =
                    port.send(port.request(path).header("If-Modified-Since", "Thu, 31 Dec 2099 00:00:00 GMT"));
            String policy = Http.header(answer, "Content-Security-Policy");

            assertEquals(type, Http.header(answer, "Content-Type"));
            assertTrue(policy.startsWith("default-src 'none';") && !policy.contains("unsafe"), policy);
            assertEquals("nosniff", Http.header(answer, "X-Content-Type-Options"));
            assertEquals("no-store", Http.header(answer, "Cache-Control"));
            assertEquals(200, again.statusCode(), "an upgrade may be older than what a browser has");
            assertEquals(answer.body(), again.body());
        }
    }

    @Test
    void shouldSayOfEverySchemeHowItIs(RunningService service) {
        service.awaitServing();
        JsonNode state = service.app().json(STATE);

        assertFalse(state.path("leaving").asBoolean());
        assertTrue(state.path("ready").asBoolean());
        assertEquals(Schemes.names(), state.path("schemes").findValuesAsText("name"));
        for (JsonNode scheme : state.path("schemes")) {
            assertEquals("active", scheme.path("state").asText());
            boolean leased = scheme.path("leased").asBoolean();
            assertEquals(leased ? 1 : 0, scheme.path("held").size(), scheme.toString());
            for (JsonNode held : scheme.path("held")) {
                assertTrue(held.path("timeLeftMillis").asLong() > 0, held.toString());
                long deadline = held.path("deadlineMillis").asLong();
                long window = scheme.path("windowMillis").asLong();
                assertTrue(deadline > 0 && deadline <= window, held.toString());
            }
        }
    }

    @Test
    void shouldCountWhatIsDrawn(RunningService service) {
        long before = gid(service).path("issued").asLong();
        service.app().get("/ids/gid?count=7");

        assertTrue(gid(service).path("issued").asLong() >= before + 7);
        assertEquals(List.of(), gid(service).path("refused").findValues("error"));
    }

    private static JsonNode gid(RunningService service) {
        return first(service.app().json(STATE).path("schemes"), "/name", "gid");
    }

    /** What is seen of the pool may be older than the slot of uid60 that the replica holds now. */
    @Test
    void shouldShowPoolsAndReplicas(RunningService service) {
        service.awaitServing();
        JsonNode state = await().until(
                        () -> seen(service.app()),
                        found -> pool(found, "uid60").at("/counts/held").asInt() == 1
                                && first(pool(found, "uid60").path("slots"), "/state", "held")
                                        .path("slot")
                                        .equals(mine(found)));
        JsonNode names = pool(state, "uid60").path("names");
        JsonNode member = state.at("/cluster/members/0");

        assertEquals(512, names.size());
        assertEquals("000", names.path(0).asText());
        assertEquals(0, pool(state, "muid").path("names").size(), "too many to be drawn");
        assertEquals(
                mine(state), first(member.path("slots"), "/scheme", "uid60").path("slot"));
        assertFalse(member.path("version").asText().isEmpty(), member.toString());
    }

    private static JsonNode mine(JsonNode state) {
        return first(state.path("schemes"), "/name", "uid60").at("/held/0/slot");
    }

    @Test
    void shouldSendPoolsOnceToABrowserThatHasThem(RunningService service) {
        JsonNode again = await().until(
                        () -> service.app()
                                .json(STATE + "?seen="
                                        + seen(service.app())
                                                .at("/cluster/look")
                                                .asText())
                                .path("cluster"),
                        next -> !next.has("pools"));

        assertTrue(again.path("ageMillis").isNumber() && !again.has("members"), again.toString());
        assertTrue(seen(service.app()).path("cluster").has("members"));
    }

    /**
     * Tenures, by which a slot can be released, and where the other port is, are on the admin port alone;
     * WhereaboutsTest has the other.
     */
    @Test
    void shouldTellOperatorsMore(RunningService service) {
        service.awaitServing();
        String nonce = service.lease("sno").path("nonce").asText();
        JsonNode admin = await().until(
                        () -> seen(service.admin()), found -> found.toString().contains(nonce));

        assertEquals(ProcessHandle.current().pid(), admin.at("/replica/pid").asLong());
        assertEquals(
                ProcessHandle.current().pid(),
                admin.at("/cluster/members/0/pid").asLong());
        assertEquals(service.app().port(), admin.at("/application/port").asInt());
        assertEquals("/", admin.at("/application/path").asText());
        assertFalse(service.app().json(STATE).has("application"));
    }

    /** The browser's tests read each form of each scheme. */
    @Test
    void shouldShowEveryWayToReadATextAndItsHolderOnce(RunningService service) {
        for (Http port : ports(service)) {
            HttpResponse<String> answer = port.get("/console/read?id=1234567890");
            JsonNode ways = Http.json(answer).path("candidates");
            JsonNode uid60 = first(ways, "/id", "1234567890");

            assertTrue(ways.size() > 1, answer.body());
            assertEquals(ways.size(), Set.copyOf(ways.findValuesAsText("hex")).size());
            assertEquals(ways.size(), answer.body().split("\"holder\"", -1).length - 1, answer.body());
            assertEquals(service.app().json("/ids/uid60/1234567890").path("fields"), uid60.path("fields"));
            assertTrue(uid60.path("bits").isInt() && uid60.path("holder").isTextual(), uid60.toString());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /console/read?id=nonsense!  | 400 | not an ID: nonsense!
            /console/read?id=           | 400 | id must be a text of 1..1024 characters: it has 0
            /console/read               | 400 | id must be a text of 1..1024 characters: it has 0
            /console/read?id=LONG       | 400 | id must be a text of 1..1024 characters: it has 1025
            /console/nothing.js         | 404 | there is nothing at this path; the console is at /console
            /console/Page.class         | 404 | there is nothing at this path; the console is at /console
            /console/x/app.js           | 404 | there is nothing at this path; the console is at /console
            """)
    void shouldSayWhatIsWrong(String path, int status, String detail, RunningService service) {
        for (Http port : ports(service)) {
            HttpResponse<String> answer = port.get(path.replace("!", "%21").replace("LONG", "2".repeat(1_025)));

            assertEquals(status, answer.statusCode());
            assertTrue(Http.detail(answer).startsWith(detail), answer.body());
            assertEquals("no-store", Http.header(answer, "Cache-Control"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /console/read?id=%zz", "GET /console/state?seen=%ff", "POST /tasks/rotate?scheme=%zz"})
    void shouldRefuseAQueryThatCannotBeRead(String request, RunningService service) {
        String answer = service.admin()
                .raw(request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                        + RunningService.TOKEN + "\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("\"detail\":\"Unable to parse URI query\""), answer);
    }
}
