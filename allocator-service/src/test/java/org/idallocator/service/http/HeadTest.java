package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HEAD has the headers that GET has, the length above all, and draws no ID. The ID that is read has no slot: who holds
 * one may be known a moment later.
 */
@ExtendWith(SharedService.class)
class HeadTest {
    private static HttpResponse<String> answer(Http port, String method, String path, String encoding) {
        return port.send(port.request(path)
                .method(method, BodyPublishers.noBody())
                .header("Accept", "*/*")
                .header("Accept-Encoding", encoding));
    }

    private static double issued(RunningService service) {
        return service.metric("id_allocator_ids_issued_total");
    }

    @ParameterizedTest
    @CsvSource({
        "/openapi.json, identity",
        "/openapi.json, gzip",
        "/problems/busy, identity",
        "/problems/busy, gzip",
        "/problems/nothing, gzip",
        "/console, identity",
        "/console, gzip",
        "/console/app.js, identity",
        "/console/app.js, gzip",
        "/, gzip",
        "/ids/gid/80000000000000800000000000000001, identity",
        "/ids/gid/80000000000000800000000000000001, gzip",
        "/ids/, gzip",
        "/ids, identity",
        "/ids, gzip",
        "/ids/sno, identity",
        "/ids/sno, gzip",
        "/ids/sno?count=500, identity",
        "/ids/sno?count=500, gzip",
        "/ids/sno?count=20000, identity",
        "/ids/sno?count=20000, gzip",
        "/nope, gzip"
    })
    void shouldHaveTheHeadersOfGet(String path, String encoding, RunningService service) {
        double before = issued(service);
        HttpResponse<String> head = answer(service.app(), "HEAD", path, encoding);
        assertEquals(before, issued(service), "HEAD draws nothing");

        HttpResponse<String> get = answer(service.app(), "GET", path, encoding);
        assertEquals("", head.body());
        assertEquals(get.statusCode(), head.statusCode());
        for (String name : new String[] {"Content-Type", "Content-Length", "Transfer-Encoding", "Cache-Control"}) {
            assertEquals(Http.header(get, name), Http.header(head, name), name);
        }
    }

    /** The IDs decide on the length, and HEAD has none. */
    @ParameterizedTest
    @CsvSource({"/ids/sno?count=16", "/ids/muid?count=20"})
    void shouldTellNoLengthThatOnlyCompressedIdsHave(String path, RunningService service) {
        HttpResponse<String> head = answer(service.app(), "HEAD", path, "gzip");
        HttpResponse<String> get = answer(service.app(), "GET", path, "gzip");

        assertEquals("gzip", Http.header(get, "Content-Encoding"));
        assertEquals(200, head.statusCode());
        assertTrue(head.headers().firstValue("Content-Length").isEmpty(), () -> String.valueOf(head.headers()));
    }
}
