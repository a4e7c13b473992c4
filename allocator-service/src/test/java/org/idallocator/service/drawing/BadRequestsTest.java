package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedService.class)
class BadRequestsTest {

    /** Method, path, status and detail. */
    static final String TABLE = """
            GET    | /ids/sno?count=abc                 | 400 | count must be 1..40960000: abc
            GET    | /ids/sno?count=0                   | 400 | count must be 1..40960000: 0
            GET    | /ids/sno?count=1.5                 | 400 | count must be 1..40960000: 1.5
            GET    | /ids/sno?count=40960001            | 400 | count must be 1..40960000 (schemes.sno.maxCount): 40960001
            GET    | /ids/sno?count=99999999999         | 400 | count must be 1..40960000 (schemes.sno.maxCount): 99999999999
            GET    | /ids/uid60?count=10241             | 400 | count must be 1..10240 (schemes.uid60.maxCount): 10241
            GET    | /ids/sno?count                     | 400 | count must have a value: it is empty
            GET    | /ids/sno?count=1&count=2           | 400 | count must be given once: 1, 2
            GET    | /ids/sno?metabyte=256              | 400 | metabyte must be 0..255: 256
            GET    | /ids/sno?metabyte=x                | 400 | metabyte must be 0..255: x
            GET    | /ids/sno?colour=red                | 400 | unknown parameter colour; allowed here: count, metabyte, form, after
            GET    | /ids/uid60?metabyte=1              | 400 | unknown parameter metabyte; allowed here: count, form, after
            GET    | /ids/gid?type=file                 | 400 | type must be one of volume, log, segment: file
            GET    | /ids/muid?transaction=yes          | 400 | transaction must be true or false: yes
            GET    | /ids/muid?transaction=true&count=1048576 | 400 | count must be 1..1048575: 1048576
            GET    | /ids?count=1                       | 400 | unknown parameter count; allowed here: none
            GET    | /leases?scheme=sno                 | 400 | unknown parameter scheme; allowed here: none
            GET    | /ids/sno/123                       | 400 | sno must be 16 characters: 3; sno hex must be 20 characters: 3
            GET    | /ids/muid/123                      | 400 | muid must be 32 characters: 3
            GET    | /ids/muid/00?form=decimal          | 400 | form must be one of canonical, hex, uuid: decimal
            GET    | /ids/muid?form=decimal             | 400 | form must be one of canonical, hex, uuid: decimal
            GET    | /ids/uid60?form=HEX                | 400 | form must be one of canonical, decimal, hex: HEX
            GET    | /ids/sno?form=hex&form=hex         | 400 | form must be given once: hex, hex
            GET    | /ids/muid/0660c91af254f7172df585d483600001 | 400 | muid must be of [0-9A-F]: 'c' at position 4; form=hex reads it
            GET    | /ids/eightbyte/05A43C7F85800340    | 400 | eightbyte must be of [0-9a-f]: 'A' at position 2; form=hex reads it
            GET    | /ids/sno/9Q7QMWQ2222DHI22          | 400 | sno must be of [2-9a-x]: 'Q' at position 1
            GET    | /ids/eightbyte/-966301394858409709 | 400 | eightbyte must be 16 characters: 19; form=decimal reads it
            GET    | /ids/gid/80000000-0000-0080-8000-000000000001 | 400 | gid must be 24 characters: 36; gid hex must be 32 characters: 36; form=uuid reads it
            GET    | /ids/uid60/73928283418783593       | 400 | uid60 must be 10 characters: 17; uid60 hex must be 15 characters: 17; form=decimal reads it
            GET    | /ids/gid/0O0O0O0O0O-0000000000000  | 400 | gid must be of [1-9A-HJ-NP-Za-km-z]: '0' at position 0
            GET    | /ids/uid60/ABF52AF8556F4C6         | 400 | uid60 hex must be of [0-9a-f]: 'A' at position 0
            GET    | /ids/uid60/-1?form=decimal         | 400 | uid60 decimal must be 0..1152921504606846975: -1
            GET    | /ids/sno?col%1b%5b31mour=red       | 400 | unknown parameter col<U+001B>[31mour; allowed here: count, metabyte, form, after
            GET    | /ids/sno/2222222222222222?count=2  | 400 | unknown parameter count; allowed here: form
            GET    | /ids/eightbyte?after=00155b6ed98a0000 | 400 | unknown parameter after; allowed here: count, form
            GET    | /ids/sno?after=                    | 400 | after must have a value: it is empty
            GET    | /ids/sno?after=9d5ve8222222222c&after=9d5ve8222222222c | 400 | after must be given once: 9d5ve8222222222c, 9d5ve8222222222c
            GET    | /ids/sno?after=123                 | 400 | after must be an ID of sno (sno must be 16 characters: 3; sno hex must be 20 characters: 3): 123
            POST   | /ids/sno?after=9D5VE8222222222C    | 400 | after must be an ID of sno (sno must be of [2-9a-x]: 'D' at position 1): 9D5VE8222222222C
            GET    | /ids/uid60?after=66401053389723944 | 400 | after must be an ID of uid60 (uid60 must be 10 characters: 17; uid60 hex must be 15 characters: 17; form=decimal reads it): 66401053389723944
            GET    | /ids/muid?form=uuid&after=0660c91a | 400 | after must be an ID of muid (muid uuid must be 36 characters: 8): 0660c91a
            GET    | /ids/gid?form=hex&after=a0019b76daa8008036d8ab37a0200072 | 400 | after must be of type volume, as gids sort by type first: 74gggErmD1-2df3j4rmbXFwo is of type log
            GET    | /ids/gid?type=log&after=c0019b76daa8008036d8ab37a0200072 | 400 | after must be of type volume or log, as gids sort by type first: 8H24XbJ67h-2df3j4rmbXFwo is of type segment
            GET    | /ids/nope                          | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            GET    | /ids/nope/123                      | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            GET    | /problems/nope                     | 404 | the guide has no reason nope
            GET    | /nothing                           | 404 | there is nothing at this path; see /ids and /leases
            DELETE | /leases                            | 405 | this path takes GET, OPTIONS: DELETE
            PATCH  | /ids/sno                           | 405 | this path takes GET, HEAD, OPTIONS, POST: PATCH
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = TABLE)
    void shouldSayWhatIsWrongAndWhatIsAllowed(
            String method, String path, int status, String detail, RunningService service) {
        HttpResponse<String> response = service.app().send(method, path, "*/*");
        JsonNode problem = Http.json(response);

        assertAll(
                () -> assertEquals(status, response.statusCode()),
                () -> assertEquals("application/problem+json", Http.header(response, "Content-Type")),
                () -> assertEquals("no-store", Http.header(response, "Cache-Control")),
                () -> assertEquals("Accept", Http.header(response, "Vary")),
                () -> assertEquals(detail, problem.path("detail").asText()),
                () -> assertEquals(status, problem.path("status").asInt()),
                () -> assertEquals(4, problem.size(), "nothing twice: " + response.body()),
                () -> assertFalse(problem.path("title").asText().isEmpty()),
                () -> assertEquals(
                        problem.path("title").asText().toLowerCase(Locale.ROOT).replace(' ', '-'),
                        problem.path("type").asText().replace("urn:id-allocator:", "")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text/plain                    | text/plain;charset=utf-8
            text/*                        | text/plain;charset=utf-8
            */*                           | application/problem+json
            text/html, */*;q=0.8          | application/problem+json
            application/x-ndjson          | application/problem+json
            text/plain;q=0.1, application/json | application/problem+json
            """)
    void shouldAnswerTextToWhoAskedForText(String accept, String type, RunningService service) {
        HttpResponse<String> response = service.app().get("/ids/sno?count=0", accept);

        assertEquals(400, response.statusCode());
        assertEquals(type, Http.header(response, "Content-Type"));
        if (type.startsWith("text")) {
            assertEquals("count must be 1..40960000: 0\n", response.body());
        }
    }

    @Test
    void shouldNameTheMediaTypesWhenNoneIsAcceptable(RunningService service) {
        HttpResponse<String> ids = service.app().get("/ids/sno", "image/png");
        HttpResponse<String> catalogue = service.app().get("/ids", "image/png");

        assertEquals(406, ids.statusCode());
        assertEquals(
                "Accept must allow one of text/plain, application/json, application/x-ndjson: image/png",
                Http.detail(ids));
        assertEquals(406, catalogue.statusCode());
        assertEquals("this path answers in application/json, which Accept does not allow", Http.detail(catalogue));
    }

    /** A plain GET for one ID is answered all the same: nothing in its answer depends on these. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Accept-Language | ;q=x
            Accept-Encoding | gzip;q=abc
            Accept-Charset  | utf-8;q=2
            """)
    void shouldNameAHeaderThatCannotBeRead(String header, String value, RunningService service) {
        String words = "Unable to parse \"" + header + "\" header value: \"" + value + "\"";
        for (String method : List.of("GET", "POST")) {
            HttpResponse<String> json = service.app()
                    .send(service.app()
                            .request("/ids/sno?count=2")
                            .method(method, BodyPublishers.noBody())
                            .header(header, value));
            HttpResponse<String> text = service.app()
                    .send(service.app()
                            .request("/ids/sno?count=2")
                            .method(method, BodyPublishers.noBody())
                            .headers(header, value, "Accept", "text/plain"));

            assertEquals(400, json.statusCode(), json.body());
            assertEquals(words, Http.detail(json));
            assertEquals(400, text.statusCode());
            assertEquals(words + "\n", text.body());
        }
    }
}
