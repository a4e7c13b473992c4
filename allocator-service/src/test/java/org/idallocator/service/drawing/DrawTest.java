package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** IDs of every scheme, form and media type. */
@ExtendWith(SharedService.class)
class DrawTest {
    private static final int BATCH = 100;

    static Stream<Arguments> forms() {
        return Schemes.all().stream()
                .flatMap(scheme -> Forms.names(List.of(scheme)).stream().map(form -> Arguments.of(scheme, form)));
    }

    /** What was drawn is read back in the same form. */
    @ParameterizedTest
    @MethodSource("forms")
    void shouldIssueDifferentIdsInEveryFormAndMediaType(Scheme<?> scheme, String form, RunningService service) {
        String path = "/ids/" + scheme.name() + "?form=" + form;
        JsonNode one = service.app().json(path);
        JsonNode list = service.app().json(path + "&count=" + BATCH);
        List<String> ids = new ArrayList<>(List.of(one.path("id").textValue()));
        list.path("ids").forEach(id -> ids.add(id.textValue()));
        for (String asked : List.of(path, path + "&count=" + BATCH)) {
            service.app().get(asked).body().lines().forEach(ids::add);
            service.app().get(asked, "application/x-ndjson").body().lines().forEach(line -> {
                assertTrue(line.matches("\".*\""), line);
                ids.add(line.substring(1, line.length() - 1));
            });
        }

        JsonNode entry =
                service.app().json("/ids").path("schemes").path(Schemes.names().indexOf(scheme.name()));
        assertEquals(
                !form.equals(Form.CANONICAL),
                entry.path("forms").valueStream().anyMatch(name -> name.asText().equals(form)),
                entry.toString());
        assertEquals(3 * (BATCH + 1), ids.size());
        assertEquals(ids.size(), Set.copyOf(ids).size(), ids.toString());
        assertEquals(2, one.size());
        assertEquals(BATCH, list.path("count").asInt());
        assertEquals(
                Set.of(scheme.name()),
                Set.copyOf(
                        List.of(one.path("scheme").asText(), list.path("scheme").asText())));
        IntStream.of(0, BATCH, BATCH + 1, BATCH + 2, 2 * BATCH + 2, 3 * BATCH + 2)
                .forEach(i -> assertReads(scheme, form, ids.get(i), service));
        if (form.equals(Form.CANONICAL)) {
            assertTrue(ids.stream().allMatch(id -> id.matches(scheme.type().textPattern())), ids.toString());
        }
    }

    private static void assertReads(Scheme<?> scheme, String form, String text, RunningService service) {
        JsonNode said = service.app().json("/ids/" + scheme.name() + "/" + text + "?form=" + form);
        JsonNode again = form.equals(Form.CANONICAL) ? said.path("id") : said.at("/forms/" + form);

        assertEquals(text, again.asText(), said.toString());
        assertEquals(scheme.name(), said.path("scheme").asText());
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
            application/*                                                   | application/json
            text/plain;q=0.5, application/json                              | application/json
            application/x-ndjson                                            | application/x-ndjson
            """)
    void shouldAnswerWhatTheClientPrefers(String accept, String type, RunningService service) {
        HttpResponse<String> response = service.app().get("/ids/sno", accept);

        assertAll(
                () -> assertEquals(200, response.statusCode()),
                () -> assertEquals(type, Http.header(response, "Content-Type")),
                () -> assertEquals("no-store", Http.header(response, "Cache-Control")),
                () -> assertEquals("Accept", Http.header(response, "Vary")));
    }

    /** No length where the IDs may differ in theirs. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /ids/sno                            | text/plain       | 17
            /ids/sno?count=3                    | application/json | 92
            /ids/muid?count=2&transaction=true  | text/plain       | 99
            /ids/sno?count=1000000              | text/plain       | 17000000
            /ids/eightbyte?count=3&form=decimal | text/plain       | ''
            """)
    void shouldAnswerHeadWithTheLengthAndNoId(String path, String accept, String length, RunningService service) {
        double before = service.metric("id_allocator_ids_issued_total");
        HttpResponse<String> response = service.app().send("HEAD", path, accept);

        assertAll(
                () -> assertEquals(200, response.statusCode()),
                () -> assertEquals("", response.body()),
                () -> assertEquals(accept, Http.header(response, "Content-Type")),
                () -> assertEquals(length, Http.header(response, "Content-Length")),
                () -> assertEquals(before, service.metric("id_allocator_ids_issued_total")));
    }

    /** HTTP/1.0 has no chunks. */
    @ParameterizedTest
    @ValueSource(
            strings = {"eightbyte?count=5000&form=decimal", "eightbyte?count=10001&form=base64url", "sno?count=10001"})
    void shouldTellTheLengthOverOldHttp(String what, RunningService service) {
        String[] answer =
                service.app().raw("GET /ids/" + what + " HTTP/1.0\r\n\r\n").split("\r\n\r\n", 2);

        assertTrue(answer[0].startsWith("HTTP/1.1 200 "), answer[0]);
        assertTrue(answer[0].matches("(?s).*\r\nContent-Length: " + answer[1].length() + "(\r\n.*)?"), answer[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"canonical", "uuid"})
    void shouldPutTheTransactionBeforeItsObjects(String form, RunningService service) {
        String path = "/ids/muid?transaction=true&count=3&form=" + form;
        JsonNode json = service.app().json(path);
        List<String> lines = service.app().get(path).body().lines().toList();

        String transaction = json.path("transaction").asText();
        String stem = transaction.replaceFirst("00000$", "");
        assertNotEquals(stem, transaction);
        assertEquals(3, json.path("count").asInt());
        assertEquals(
                List.of(stem + "00001", stem + "00002", stem + "00003"),
                json.path("ids").valueStream().map(JsonNode::asText).toList());
        String other = lines.get(0).replaceFirst("00000$", "");
        assertEquals(List.of(other + "00000", other + "00001", other + "00002", other + "00003"), lines);
        assertNotEquals(stem, other);
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
        assertEquals(200, fields("sno", "metabyte=200", service).at("/2/value").asInt());
        assertNotEquals(
                fields("gid", "type=log", service).at("/0/value"),
                fields("gid", "type=segment", service).at("/0/value"));
    }

    private static JsonNode fields(String scheme, String parameter, RunningService service) {
        String id = service.app().get("/ids/" + scheme + "?" + parameter).body().strip();
        return service.app().json("/ids/" + scheme + "/" + id).path("fields");
    }
}
