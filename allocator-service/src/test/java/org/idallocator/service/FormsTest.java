package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** IDs issued over HTTP in other forms than the canonical one. */
@ExtendWith(SharedService.class)
class FormsTest {
    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";

    static Stream<Arguments> forms() {
        return Schemes.all().stream().flatMap(FormsTest::forms);
    }

    private static Stream<Arguments> forms(Scheme<?> scheme) {
        return Forms.names(List.of(scheme)).stream().map(form -> Arguments.of(scheme, form));
    }

    /** What was drawn is read back in the same form, and is one of this scheme's latest IDs. */
    @ParameterizedTest
    @MethodSource("forms")
    void shouldIssueOneIdInEveryForm(Scheme<?> scheme, String form, RunningService service) {
        String path = "/ids/" + scheme.name();
        HttpResponse<String> text = service.app().get(path + "?form=" + form);
        JsonNode json = service.app().json(path + "?form=" + form);

        assertEquals(200, text.statusCode());
        assertReads(scheme, form, text.body().strip(), service);
        assertReads(scheme, form, json.path("id").textValue(), service);
        assertTrue(text.body().endsWith("\n"));
    }

    private static void assertReads(Scheme<?> scheme, String form, String text, RunningService service) {
        JsonNode said = service.app().json("/ids/" + scheme.name() + "/" + text + "?form=" + form);
        String again = form.equals(Forms.CANONICAL)
                ? said.path("id").asText()
                : said.path("forms").path(form).asText();
        assertEquals(text, again, said.toString());
        assertEquals(scheme.name(), said.path("scheme").asText());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void shouldIssueBatchesInEveryMediaType(Scheme<?> scheme, String form, RunningService service) {
        String path = "/ids/" + scheme.name() + "?count=30&form=" + form;
        List<String> lines = service.app().get(path).body().lines().toList();
        List<String> strings = service.app().get(path, NDJSON).body().lines().toList();
        JsonNode json = service.app().json(path);

        assertEquals(30, lines.stream().distinct().count());
        assertReads(scheme, form, lines.get(29), service);
        assertEquals(30, strings.stream().distinct().count());
        assertReads(scheme, form, strings.get(29).replace("\"", ""), service);
        assertEquals(30, json.path("ids").size());
        assertEquals(30, json.path("count").asInt());
        assertReads(scheme, form, json.path("ids").path(29).textValue(), service);
    }

    @ParameterizedTest
    @CsvSource({"sno,uuid,36", "muid,hex,32", "eightbyte,decimal,0", "gid,uuid,36"})
    void shouldStreamInOtherForms(String scheme, String form, int length, RunningService service) {
        String path = "/ids/" + scheme + "?count=10001&form=" + form;
        HttpResponse<String> text = service.app().get(path);
        HttpResponse<String> json = service.app().get(path, JSON);

        assertEquals(10_001, text.body().lines().distinct().count());
        assertEquals(10_001, Http.json(json).path("ids").size());
        assertEquals(length > 0, text.headers().firstValue("Content-Length").isPresent());
        if (length > 0) {
            assertEquals(
                    10_001L * (length + 1),
                    text.headers().firstValueAsLong("Content-Length").orElse(0));
        }
    }

    @Test
    void shouldIssueTransactionsInOtherForms(RunningService service) {
        JsonNode json = service.app().json("/ids/muid?transaction=true&count=3&form=uuid");
        List<String> lines = service.app()
                .get("/ids/muid?transaction=true&count=3&form=uuid")
                .body()
                .lines()
                .toList();

        assertTrue(json.path("transaction").asText().matches("[0-9a-f-]{31}00000"), json.toString());
        assertTrue(json.path("ids").path(2).asText().endsWith("00003"), json.toString());
        assertEquals(4, lines.size());
        assertTrue(lines.get(3).endsWith("00003"), lines.toString());
    }

    @Test
    void shouldTellNoLengthBeforeIdsOfDifferentLengthsAreDrawn(RunningService service) {
        HttpResponse<String> head = service.app().send("HEAD", "/ids/eightbyte?count=3&form=decimal", "*/*");

        assertEquals(200, head.statusCode());
        assertEquals("", head.body());
        assertFalse(head.headers().firstValue("Content-Length").isPresent());
    }

    @ParameterizedTest
    @CsvSource({"eightbyte?count=5000&form=decimal", "eightbyte?count=10001&form=base64url", "sno?count=10001"})
    void shouldTellTheLengthOverOldHttp(String what, RunningService service) {
        String answer = service.app().raw("GET /ids/" + what + " HTTP/1.0\r\n\r\n");
        int head = answer.indexOf("\r\n\r\n") + 4;

        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertTrue(
                answer.substring(0, head).contains("\r\nContent-Length: " + (answer.length() - head) + "\r\n"),
                answer.substring(0, head));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void shouldNameTheFormInTheCatalogue(Scheme<?> scheme, String form, RunningService service) {
        List<String> listed = new ArrayList<>(List.of(Forms.CANONICAL));
        for (JsonNode entry : service.app().json("/ids").path("schemes")) {
            if (entry.path("name").asText().equals(scheme.name())) {
                entry.path("forms").forEach(name -> listed.add(name.asText()));
            }
        }
        assertTrue(listed.contains(form), listed.toString());
    }
}
