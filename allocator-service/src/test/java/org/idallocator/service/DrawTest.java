package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SharedService.class)
class DrawTest {

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldAnswerOneIdInEveryFormat(Scheme<?> scheme, RunningService service) {
        String path = "/ids/" + scheme.name();
        String pattern = scheme.type().textPattern();
        String text = service.app().get(path).body();
        String ndjson = service.app().get(path, "application/x-ndjson").body();
        JsonNode json = service.app().json(path);

        assertAll(
                () -> assertTrue(text.matches(pattern + "\n"), text),
                () -> assertTrue(ndjson.matches("\"" + pattern + "\"\n"), ndjson),
                () -> assertTrue(json.path("id").asText().matches(pattern), json.toString()),
                () -> assertEquals(scheme.name(), json.path("scheme").asText()),
                () -> assertEquals(2, json.size()));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldAnswerAsManyDifferentIdsAsAskedFor(Scheme<?> scheme, RunningService service) {
        String path = "/ids/" + scheme.name() + "?count=300";
        JsonNode json = service.app().json(path);
        Set<String> all = new HashSet<>(service.app().get(path).body().lines().toList());
        json.path("ids").forEach(id -> all.add(id.asText()));
        service.app()
                .get(path, "application/x-ndjson")
                .body()
                .lines()
                .forEach(line -> all.add(line.substring(1, line.length() - 1)));

        assertEquals(900, all.size());
        assertTrue(all.stream().allMatch(id -> id.matches(scheme.type().textPattern())));
        assertEquals(300, json.path("count").asInt());
        assertEquals(scheme.name(), json.path("scheme").asText());
    }

    @Test
    void shouldAnswerAListWhenACountOfOneIsNamed(RunningService service) {
        JsonNode json = service.app().json("/ids/sno?count=1");

        assertEquals(1, json.path("count").asInt());
        assertEquals(1, json.path("ids").size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */*                                                             | text/plain
            text/plain                                                      | text/plain
            text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | text/plain
            application/json                                                | application/json
            application/*                                                   | application/json
            text/plain;q=0.5, application/json                              | application/json
            application/x-ndjson                                            | application/x-ndjson
            """)
    void shouldAnswerWhatTheClientPrefers(String accept, String type, RunningService service) {
        HttpResponse<String> response = service.app().get("/ids/sno", accept);

        assertAll(
                () -> assertEquals(200, response.statusCode()),
                () -> assertEquals(type, Http.header(response, "Content-Type")),
                () -> assertEquals(List.of("no-store"), response.headers().allValues("Cache-Control")),
                () -> assertEquals(List.of("Accept"), response.headers().allValues("Vary")));
    }

    @Test
    void shouldDoForPostWhatItDoesForGet(RunningService service) {
        HttpResponse<String> response = service.app().send("POST", "/ids/gid?count=2&type=log", "application/json");

        assertEquals(200, response.statusCode());
        assertEquals(2, Http.json(response).path("ids").size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /ids/sno                          | text/plain           |  17
            /ids/sno?count=3                  | application/json     |  92
            /ids/muid?count=2&transaction=true | text/plain           |  99
            /ids/sno?count=1000000            | text/plain           | 17000000
            """)
    void shouldAnswerHeadWithTheLengthAndNoId(String path, String accept, String length, RunningService service) {
        double before = issued(service);
        HttpResponse<String> response = service.app().send("HEAD", path, accept);

        assertAll(
                () -> assertEquals(200, response.statusCode()),
                () -> assertEquals("", response.body()),
                () -> assertEquals(accept, Http.header(response, "Content-Type")),
                () -> assertEquals(length, Http.header(response, "Content-Length")),
                () -> assertEquals(before, issued(service)));
    }

    private static double issued(RunningService service) {
        return service.admin()
                .get("/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("id_allocator_ids_issued_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void shouldPutTheTransactionBeforeItsObjects(RunningService service) {
        JsonNode json = service.app().json("/ids/muid?transaction=true&count=3");
        List<String> lines = service.app()
                .get("/ids/muid?transaction=true&count=3")
                .body()
                .lines()
                .toList();

        String transaction = json.path("transaction").asText();
        String stem = transaction.substring(0, 27);
        assertAll(
                () -> assertEquals(stem + "00000", transaction),
                () -> assertEquals(3, json.path("count").asInt()),
                () -> assertEquals(stem + "00001", json.path("ids").path(0).asText()),
                () -> assertEquals(stem + "00003", json.path("ids").path(2).asText()),
                () -> assertEquals(4, lines.size()),
                () -> assertTrue(lines.get(0).endsWith("00000")),
                () -> assertTrue(lines.get(3).endsWith("00003")),
                () -> assertNotEquals(stem, lines.get(0).substring(0, 27)));
    }

    @Test
    void shouldGiveEveryMuidATransactionOfItsOwnWithoutTransaction(RunningService service) {
        List<String> ids =
                service.app().get("/ids/muid?count=50").body().lines().toList();

        assertTrue(ids.stream().allMatch(id -> id.endsWith("00001")));
        assertEquals(50, ids.stream().map(id -> id.substring(0, 27)).distinct().count());
    }

    @Test
    void shouldCarryTheParameter(RunningService service) {
        String sno = service.app().get("/ids/sno?metabyte=200").body().strip();
        JsonNode fields = service.app().json("/ids/sno/" + sno).path("fields");
        String log = service.app().get("/ids/gid?type=log").body().strip();

        assertEquals(200, fields.path(2).path("value").asInt());
        assertNotEquals(
                service.app().json("/ids/gid/" + log).path("fields").path(0).path("value"),
                service.app()
                        .json("/ids/gid/"
                                + service.app()
                                        .get("/ids/gid?type=segment")
                                        .body()
                                        .strip())
                        .at("/fields/0/value"));
    }
}
