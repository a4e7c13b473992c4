package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What browsers ask on behalf of pages of other origins. */
class CrossOriginTest {
    private static final String SHOP = "https://shop.example.com";

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class, "cors.allowedOrigins=" + SHOP);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static HttpResponse<String> send(RunningService asked, String method, String path, String origin) {
        return asked.app()
                .send(asked.app()
                        .request(path)
                        .method(method, BodyPublishers.noBody())
                        .headers("Origin", origin, "Access-Control-Request-Method", "POST")
                        .header("Access-Control-Request-Headers", "content-type"));
    }

    /** A browser asks before it sends JSON, and sends nothing without permission; nothing is drawn for the question. */
    @Test
    void shouldAnswerThePreflightOfAnAllowedOriginAndDrawNothing() {
        ObedientSource source = ((ObedientApplication) service.support().getApplication()).source();
        source.fenceAfter(0);
        HttpResponse<String> response = send(service, "OPTIONS", "/ids/sno", SHOP);

        assertEquals(200, response.statusCode());
        assertEquals(SHOP, Http.header(response, "Access-Control-Allow-Origin"));
        for (String method : List.of("GET", "HEAD", "POST")) {
            assertTrue(Http.header(response, "Access-Control-Allow-Methods").contains(method));
        }
        assertTrue(Http.header(response, "Access-Control-Allow-Headers").contains("Content-Type"));
        assertEquals("", Http.header(response, "Access-Control-Allow-Credentials"));
        assertEquals(
                200,
                send(service, "OPTIONS", "/ids/sno", "https://evil.example.com").statusCode());
        assertTrue(source.status(Schemes.named("sno", Schemes.all())).active());
        source.serve();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /ids/sno, 200",
        "POST, /ids/sno, 200",
        "HEAD, /ids/sno, 200",
        "GET, /leases, 200",
        "GET, /openapi.json, 200",
        "GET, /ids/sno?count=0, 400",
        "GET, /ids/nope, 404",
        "DELETE, /ids/sno, 405"
    })
    void shouldLetAllowedPagesReadAnswersAndErrors(String method, String path, int status) {
        HttpResponse<String> response = send(service, method, path, SHOP);

        assertEquals(status, response.statusCode());
        assertEquals(SHOP, Http.header(response, "Access-Control-Allow-Origin"));
        assertEquals("Accept, Origin", Http.header(response, "Vary"));
        assertTrue(Http.header(response, "Access-Control-Expose-Headers").contains("Retry-After"));
    }

    /**
     * They are answered without letting pages read that: so a page of the service's own origin can send a form, whose
     * browser tells the origin, which need not be in the list.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example.com",
                "https://shopxexample.com",
                "https://shop.example.com.evil.org",
                "null"
            })
    void shouldTellOtherOriginsNothing(String origin) {
        assertFalse(allowed(send(service, "OPTIONS", "/ids/sno", origin)));
        assertFalse(allowed(send(service, "GET", "/ids/sno", origin)));
        HttpResponse<String> posted = send(service, "POST", "/ids/sno", origin);
        assertEquals(200, posted.statusCode());
        assertFalse(allowed(posted));
    }

    /** A cache that has the answer for nobody's origin must not give it to a page. */
    @Test
    void shouldTellCachesOfOriginsWhenNoneIsSent() {
        HttpResponse<String> response = service.app().get("/ids/sno");

        assertEquals("Accept, Origin", Http.header(response, "Vary"));
        assertFalse(allowed(response));
    }

    @Test
    void shouldBeOffByDefault() {
        try (RunningService closed = RunningService.start(ObedientApplication.class)) {
            HttpResponse<String> get = send(closed, "GET", "/ids/sno", SHOP);

            assertFalse(allowed(send(closed, "OPTIONS", "/ids/sno", SHOP)));
            assertFalse(allowed(get));
            assertEquals("Accept", Http.header(get, "Vary"));
        }
    }

    @Test
    void shouldLetAnyPageAskWhereTheConfigurationSaysSo() {
        try (RunningService open = RunningService.start(ObedientApplication.class, "cors.allowedOrigins=*")) {
            assertTrue(allowed(send(open, "GET", "/ids/sno", "https://anywhere.example.org")));
        }
    }

    /** The routes are where the program has put them, and an origin is the same in other letters. */
    @Test
    void shouldFindTheRoutesBelowARootPath() {
        try (RunningService below = RunningService.start(
                ObedientApplication.class, "server.rootPath=/api", "cors.allowedOrigins=HTTPS://Shop.example.com")) {
            assertEquals(
                    SHOP, Http.header(send(below, "OPTIONS", "/api/ids/sno", SHOP), "Access-Control-Allow-Origin"));
            assertEquals(SHOP, Http.header(send(below, "GET", "/api/leases", SHOP), "Access-Control-Allow-Origin"));
            assertEquals(
                    "there is nothing at this path; see /api/ids and /api/leases",
                    Http.json(send(below, "GET", "/api/nothing", SHOP))
                            .path("detail")
                            .asText());
            assertEquals("/api", BasePath.of(below.support().getEnvironment()).inContext());
        }
    }

    private static boolean allowed(HttpResponse<String> response) {
        return response.headers().map().keySet().stream()
                .anyMatch(name -> name.toLowerCase(java.util.Locale.ROOT).startsWith("access-control-"));
    }
}
