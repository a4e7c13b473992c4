package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SharedService.class)
class ConsoleTest {
    private static final String STATE = "/console/state";

    /** What the page loads, and what its scripts import. */
    private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"(console/[^\"]+)\"|from \"\\./([^\"]+)\"");

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    private static List<Http> ports(RunningService service) {
        return List.of(service.app(), service.admin());
    }

    private static JsonNode seen(Http port) {
        return await().until(
                        () -> port.json(STATE), state -> state.path("cluster").has("pools"));
    }

    private static JsonNode named(JsonNode list, String name) {
        return Stream.iterate(0, i -> i + 1)
                .limit(list.size())
                .map(list::get)
                .filter(each -> each.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode pool(JsonNode state, String scheme) {
        for (JsonNode pool : state.path("cluster").path("pools")) {
            if (pool.path("counts").path("scheme").asText().equals(scheme)) {
                return pool;
            }
        }
        throw new AssertionError("no pool of " + scheme + " in " + state);
    }

    @Test
    void shouldServeThePageAtBothPathsOfBothPorts(RunningService service) {
        for (Http port : ports(service)) {
            String front = port.get("/").body();
            assertTrue(front.contains("<title>ID Allocator</title>"), front);
            assertEquals(front, port.get("/console").body());
            HttpResponse<String> below = port.get("/console/");
            assertEquals(301, below.statusCode());
            assertEquals("../console", below.headers().firstValue("Location").orElseThrow());
        }
    }

    /** Every address in the page is relative to where the page is. */
    @Test
    @ProofOnly("a server of its own")
    void shouldStandBesideTheRoutesWhereTheseHaveAPathOfTheirOwn(@TempDir Path data) {
        try (RunningService service = RunningService.start(
                AllocatorApplication.class, "server.rootPath=/api/", "zookeeper.embedded.dataDir=" + data)) {
            for (String path : List.of("/api/", "/api/console")) {
                assertTrue(service.app().get(path).body().contains("src=\"console/app.js\""), path);
            }
            assertEquals(200, service.app().status("/api/console/app.js"));
            assertEquals(200, service.app().status("/api/console/state"));
            assertEquals(404, service.app().status("/console"));
            assertEquals(
                    "/api/",
                    service.admin().json(STATE).path("application").path("path").asText());
        }
    }

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

            assertAll(
                    () -> assertEquals(
                            type, answer.headers().firstValue("Content-Type").orElseThrow()),
                    () -> assertTrue(policy(answer).startsWith("default-src 'none';"), policy(answer)),
                    () -> assertFalse(policy(answer).contains("unsafe")),
                    () -> assertEquals(
                            "nosniff",
                            answer.headers()
                                    .firstValue("X-Content-Type-Options")
                                    .orElseThrow()),
                    () -> assertEquals(
                            "no-store",
                            answer.headers().firstValue("Cache-Control").orElseThrow()),
                    () -> assertEquals(200, again.statusCode(), "an upgrade may be older than what a browser has"),
                    () -> assertEquals(answer.body(), again.body()));
        }
    }

    private static String policy(HttpResponse<String> answer) {
        return answer.headers().firstValue("Content-Security-Policy").orElseThrow();
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
                long session = state.path("sessionMillis").asLong();
                assertTrue(deadline > 0 && deadline <= session, held.toString());
            }
        }
    }

    @Test
    void shouldCountWhatIsDrawn(RunningService service) {
        long before = issued(service);
        service.app().get("/ids/gid?count=7");

        assertTrue(issued(service) >= before + 7);
        assertEquals(
                List.of(),
                named(service.app().json(STATE).path("schemes"), "gid")
                        .path("refused")
                        .findValues("error"));
    }

    private static long issued(RunningService service) {
        return named(service.app().json(STATE).path("schemes"), "gid")
                .path("issued")
                .asLong();
    }

    @Test
    void shouldShowPoolsAndReplicas(RunningService service) {
        service.awaitServing();
        JsonNode state = await().until(
                        () -> seen(service.app()),
                        found ->
                                pool(found, "uid60").path("counts").path("held").asInt() == 1
                                        && held(pool(found, "uid60")).equals(List.of(mine(found))));
        JsonNode names = pool(state, "uid60").path("names");
        JsonNode member = state.path("cluster").path("members").path(0);

        assertEquals(512, names.size());
        assertEquals("000", names.path(0).asText());
        assertEquals(0, pool(state, "muid").path("names").size(), "too many to be drawn");
        assertTrue(
                member.path("slots").toString().contains("{\"scheme\":\"uid60\",\"slot\":\"" + mine(state) + "\"}"),
                member.toString());
        assertFalse(member.path("version").asText().isEmpty(), member.toString());
    }

    private static List<String> held(JsonNode pool) {
        return StreamSupport.stream(pool.path("slots").spliterator(), false)
                .filter(slot -> slot.path("state").asText().equals("held"))
                .map(slot -> slot.path("slot").asText())
                .toList();
    }

    /** The slot of uid60 that the replica holds now; what is seen of the pool may be older. */
    private static String mine(JsonNode state) {
        return named(state.path("schemes"), "uid60").at("/held/0/slot").asText();
    }

    @Test
    void shouldSendPoolsOnceToABrowserThatHasThem(RunningService service) {
        JsonNode state = seen(service.app());
        JsonNode again = await().until(
                        () -> again(service, seen(service.app())),
                        next -> !next.path("cluster").has("pools"));

        assertFalse(again.path("cluster").has("members"));
        assertTrue(again.path("cluster").path("ageMillis").isNumber());
        assertTrue(state.path("cluster").has("members"));
    }

    private static JsonNode again(RunningService service, JsonNode state) {
        return service.app()
                .json(STATE + "?seen=" + state.path("cluster").path("look").asText());
    }

    /** Sessions, processes and tenures, by which a slot can be released, are on the admin port alone. */
    @Test
    void shouldTellStrangersNothingThatOpensDoors(RunningService service) {
        service.awaitServing();
        String nonce = service.lease("sno").path("nonce").asText();
        String app = seen(service.app()).toString();
        JsonNode admin = await().until(
                        () -> seen(service.admin()), found -> found.toString().contains(nonce));

        assertFalse(app.contains("session\"") || app.contains("nonce") || app.contains(nonce), app);
        assertFalse(app.contains("\"pid\""), app);
        assertEquals(
                ProcessHandle.current().pid(), admin.path("replica").path("pid").asLong());
        assertEquals(
                ProcessHandle.current().pid(),
                admin.path("cluster").path("members").path(0).path("pid").asLong());
        assertFalse(service.app().json(STATE).has("application"));
        assertEquals(
                service.app().port(), admin.path("application").path("port").asInt());
        assertEquals("/", admin.path("application").path("path").asText());
    }

    /** Whoever owns a name may have it lead to this machine, and a browser lets the page of that name read what is here. */
    @Test
    void shouldTellAPageOfElsewhereNothingOnTheAdminPort(RunningService service) {
        String answer = service.admin()
                .raw("GET " + STATE + " HTTP/1.1\r\nHost: evil.example:8081\r\nConnection: close\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
        assertFalse(answer.contains("\"schemes\""), answer);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldReadEveryForm(Scheme<?> scheme, RunningService service) {
        String id = service.app().get("/ids/" + scheme.name()).body().strip();
        JsonNode said = service.app().json("/ids/" + scheme.name() + "/" + id);

        for (Http port : ports(service)) {
            assertReads(port, id, said);
            for (Form<?> form : scheme.forms()) {
                assertReads(port, said.path("forms").path(form.name()).asText(), said);
            }
        }
    }

    private static void assertReads(Http port, String text, JsonNode said) {
        JsonNode way = wayOf(port.json("/console/read?id=" + text).path("candidates"), said);

        assertEquals(said.path("fields"), way.path("fields"));
        assertTrue(way.path("bits").isInt() && way.path("holder").isTextual(), way.toString());
        assertFalse(way.toString().contains("session"), way.toString());
    }

    /** Digits alone are an ID of several schemes, and hex without letters may be a number of the same scheme too. */
    private static JsonNode wayOf(JsonNode candidates, JsonNode said) {
        for (JsonNode way : candidates) {
            if (way.path("scheme").equals(said.path("scheme")) && way.path("id").equals(said.path("id"))) {
                return way;
            }
        }
        throw new AssertionError("no " + said.path("id") + " of " + said.path("scheme") + " in " + candidates);
    }

    @Test
    void shouldNameTheHolderOnceInEachWay(RunningService service) {
        HttpResponse<String> answer = service.app().get("/console/read?id=1234567890");

        assertEquals(
                Http.json(answer).path("candidates").size(),
                answer.body().split("\"holder\"", -1).length - 1,
                answer.body());
    }

    @Test
    void shouldShowEveryWayToReadAText(RunningService service) {
        JsonNode candidates = service.app().json("/console/read?id=1234567890").path("candidates");

        assertTrue(candidates.size() > 1, candidates.toString());
        assertEquals(
                candidates.size(),
                Set.copyOf(candidates.findValuesAsText("hex")).size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /console/read?id=nonsense!  | 400 | not an ID: nonsense!
            /console/read?id=           | 400 | id must be a text of 1..1024 characters: it has 0
            /console/read               | 400 | id must be a text of 1..1024 characters: it has 0
            /console/nothing.js         | 404 | there is nothing at this path; the console is at /console
            /console/Page.class         | 404 | there is nothing at this path; the console is at /console
            /console/x/app.js           | 404 | there is nothing at this path; the console is at /console
            """)
    void shouldSayWhatIsWrong(String path, int status, String detail, RunningService service) {
        for (Http port : ports(service)) {
            HttpResponse<String> answer = port.get(path.replace("!", "%21"));

            assertEquals(status, answer.statusCode());
            assertTrue(Http.detail(answer).startsWith(detail), answer.body());
            assertEquals(
                    "no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
        }
    }

    @ParameterizedTest
    @CsvSource({"/console/read?id=%zz", "/console/read?id=%ff", "/console/state?seen=%zz"})
    void shouldRefuseAQueryThatCannotBeRead(String path, RunningService service) {
        for (Http port : ports(service)) {
            String answer = port.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertTrue(answer.contains("\"detail\":\"Unable to parse URI query\""), answer);
        }
    }

    @Test
    void shouldRefuseATextThatIsLongerThanAnyId(RunningService service) {
        HttpResponse<String> answer = service.app().get("/console/read?id=" + "2".repeat(1_025));

        assertEquals(400, answer.statusCode());
        assertEquals("id must be a text of 1..1024 characters: it has 1025", Http.detail(answer));
    }

    @ParameterizedTest
    @CsvSource({"/", "/console/app.js", STATE})
    void shouldAnswerHeadWithoutABody(String path, RunningService service) {
        for (Http port : ports(service)) {
            HttpResponse<String> head = port.send("HEAD", path, "*/*");

            assertEquals(200, head.statusCode());
            assertEquals("", head.body());
            assertEquals(405, port.send("DELETE", path, "*/*").statusCode());
        }
    }
}
