package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Places;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every header of every kind of answer, whoever writes it. What one kind has and another has not is seen here at a
 * glance.
 */
@ExtendWith(SharedService.class)
class HeadersTest {
    private static final String SHOP = "https://shop.example.com";

    /** Headers of the connection, and what differs from one answer to the next. */
    private static final List<String> LEFT_OUT = List.of("Connection", "Content-Length", "Date", "Transfer-Encoding");

    /** Those that have a column of their own. */
    private static final List<String> COLUMNS = List.of("Cache-Control", "Vary", "Content-Type");

    /** What the table has for some headers together. */
    private static final Map<String, Map<String, String>> WORDS = Map.of(
            "safe",
            Map.of(
                    "X-Content-Type-Options", "nosniff",
                    "X-Frame-Options", "DENY",
                    "Referrer-Policy", "no-referrer",
                    "Cross-Origin-Resource-Policy", "same-origin"),
            "policy",
            Map.of(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
            "readable",
            Map.of("Access-Control-Allow-Origin", SHOP, "Access-Control-Expose-Headers", "Retry-After"));

    /**
     * By what the table calls them: services whose pages of one origin are allowed, or that have no place for a
     * request.
     */
    private static final Map<String, RunningService> OTHERS = new HashMap<>();

    @BeforeAll
    static void start() {
        OTHERS.put("shop", RunningService.start(ObedientApplication.class, "cors.allowedOrigins=" + SHOP));
        OTHERS.put("busy", takingAllPlaces(RunningService.start(ObedientApplication.class)));
        OTHERS.put(
                "busy shop",
                takingAllPlaces(RunningService.start(ObedientApplication.class, "cors.allowedOrigins=" + SHOP)));
    }

    private static RunningService takingAllPlaces(RunningService service) {
        ObedientApplication application = service.support().getApplication();
        Places places = application.ids().places(Limit.REQUESTS);
        while (places.taken() < places.most()) {
            places.take();
        }
        return service;
    }

    @AfterAll
    static void stop() {
        OTHERS.values().forEach(RunningService::close);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            # The fast path
            app   | GET /ids/sno                                     | 200 | no-store | Accept          | text/plain               | -
            app   | GET /ids/sno, Accept: application/json           | 200 | no-store | Accept          | application/json         | -
            # Jersey
            app   | GET /ids/sno?metabyte=7                          | 200 | no-store | Accept          | text/plain               | -
            app   | POST /ids/sno                                    | 200 | no-store | Accept          | text/plain               | -
            app   | HEAD /ids/sno                                    | 200 | no-store | Accept          | text/plain               | -
            app   | GET /ids/sno?count=3                             | 200 | no-store | Accept          | text/plain               | -
            app   | GET /ids/sno?count=500, Accept-Encoding: gzip    | 200 | no-store | Accept          | text/plain               | Content-Encoding: gzip
            app   | GET /ids/sno?count=20000                         | 200 | no-store | Accept          | text/plain               | -
            app   | GET /ids/sno?count=20000, Accept: application/json | 200 | no-store | Accept          | application/json         | -
            app   | GET /ids/sno/9q7qmwq2222dhi22                    | 200 | no-store | Accept          | application/json         | -
            app   | HEAD /ids/sno/9q7qmwq2222dhi22                   | 200 | no-store | Accept          | application/json         | -
            app   | GET /ids                                         | 200 | no-store | Accept          | application/json         | -
            app   | GET /leases                                      | 200 | no-store | Accept          | application/json         | -
            app   | GET /openapi.json                                | 200 | no-store | Accept          | application/json         | -
            app   | GET /problems/busy                               | 200 | no-store | Accept          | text/plain;charset=utf-8 | -
            app   | OPTIONS /ids/sno                                 | 200 | no-store | Accept          | text/plain               | Allow: HEAD,POST,GET,OPTIONS
            # Problems, by Jersey
            app   | GET /ids/sno?count=0                             | 400 | no-store | Accept          | application/problem+json | -
            app   | GET /ids/sno?count=0, Accept: text/plain         | 400 | no-store | Accept          | text/plain;charset=utf-8 | -
            app   | DELETE /ids/sno                                  | 405 | no-store | Accept          | application/problem+json | Allow: HEAD,POST,GET,OPTIONS
            app   | GET /nothing                                     | 404 | no-store | Accept          | application/problem+json | -
            # Problems, by Jetty before anybody else, or by what reads bodies
            app   | GET /ids/%zz                                     | 400 | no-store | -               | application/problem+json | -
            app   | GET /ids/..%2fids, Accept: text/plain            | 400 | no-store | -               | text/plain;charset=utf-8 | -
            app   | TRACE /ids/sno                                   | 405 | no-store | -               | application/problem+json | -
            app   | GET /ids/sno?count=2, Content-Length: x          | 400 | no-store | -               | application/problem+json | -
            app   | 'POST /ids/sno, Transfer-Encoding: chunked\r\n\r\nx' | 400 | no-store | Accept-Encoding, Accept | application/problem+json | -
            # Dropwizard
            app   | GET /health-check                                | 200 | no-store | Accept-Encoding | application/json         | -
            app   | POST /health-check                               | 405 | no-store | -               | application/problem+json | -
            # The console
            app   | GET /console                                     | 200 | no-store | Accept-Encoding | text/html;charset=utf-8  | policy; safe
            app   | GET /                                            | 200 | no-store | Accept-Encoding | text/html;charset=utf-8  | policy; safe
            app   | HEAD /console                                    | 200 | no-store | Accept-Encoding | text/html;charset=utf-8  | policy; safe
            app   | GET /console/app.js                              | 200 | no-store | Accept-Encoding | text/javascript;charset=utf-8 | policy; safe
            app   | GET /console/state                               | 200 | no-store | Accept-Encoding | application/json         | policy; safe
            app   | GET /console/                                    | 301 | no-store | Accept-Encoding | -                        | Location: ../console; policy; safe
            app   | GET /console/nope                                | 404 | no-store | Accept-Encoding | application/problem+json | policy; safe
            app   | POST /console/state                              | 405 | no-store | -               | application/problem+json | -
            admin | GET /console                                     | 200 | no-store | Accept-Encoding | text/html;charset=utf-8  | policy; safe
            admin | GET /console/state                               | 200 | no-store | Accept-Encoding | application/json         | policy; safe
            # Operators
            admin | GET /fleet                                       | 200 | no-store | Accept-Encoding | application/json         | safe
            admin | POST /tasks/resume                               | 200 | no-store | Accept-Encoding | application/json         | safe
            admin | POST /tasks/rotate                               | 400 | no-store | Accept-Encoding | application/problem+json | safe
            admin | GET /tasks/drain                                 | 405 | no-store | Accept-Encoding | application/problem+json | Allow: OPTIONS, POST; safe
            admin | OPTIONS /fleet                                   | 200 | no-store | -               | -                        | Allow: GET, HEAD, OPTIONS; safe
            # Others on the admin port
            admin | GET /prometheus                                  | 200 | -        | Accept-Encoding | text/plain; version=0.0.4; charset=utf-8 | safe
            admin | GET /healthcheck                                 | 200 | must-revalidate,no-cache,no-store | Accept-Encoding | application/json         | safe
            admin | GET /nothing                                     | 404 | no-store | -               | application/problem+json | safe
            admin | GET /leases/%zz                                  | 400 | no-store | -               | application/problem+json | -
            # Who may not
            stranger | POST /tasks/resume                               | 401 | no-store | Accept-Encoding | application/problem+json | WWW-Authenticate: Bearer realm="admin port"; safe
            stranger | GET /fleet, Origin: https://shop.example.com     | 403 | no-store | Accept-Encoding | application/problem+json | safe
            # Pages of other origins
            shop  | GET /ids/sno, Origin: https://shop.example.com   | 200 | no-store | Accept, Origin  | text/plain               | readable
            shop  | GET /ids/sno, Origin: https://evil.example.com   | 200 | no-store | Accept, Origin  | text/plain               | -
            shop  | GET /ids/sno                                     | 200 | no-store | Accept, Origin  | text/plain               | -
            shop  | GET /ids/sno?count=2                             | 200 | no-store | Accept, Origin  | text/plain               | -
            shop  | GET /ids/sno?count=0, Origin: https://shop.example.com | 400 | no-store | Accept, Origin  | application/problem+json | readable
            shop  | GET /ids/%zz, Origin: https://shop.example.com   | 400 | no-store | -               | application/problem+json | -
            shop  | GET /health-check, Origin: https://shop.example.com | 200 | no-store | Accept-Encoding, Origin | application/json         | readable
            # No place
            busy  | GET /ids/sno?count=2                             | 503 | no-store | Accept-Encoding, Accept | application/problem+json | Retry-After: 1
            busy  | HEAD /ids/sno                                    | 503 | no-store | Accept          | application/problem+json | Retry-After: 1
            busy shop | GET /ids/sno?count=2, Origin: https://shop.example.com | 503 | no-store | Accept-Encoding, Origin, Accept | application/problem+json | Retry-After: 1; readable
            """)
    void shouldHaveTheseHeadersAndNoOthers(
            String port,
            String request,
            String status,
            String cacheControl,
            String vary,
            String type,
            String others,
            RunningService whole) {
        whole.awaitReady().awaitServing();
        String token = port.equals("admin") ? "Authorization: Bearer " + RunningService.TOKEN + "\r\n" : "";
        String answer = port(port, whole)
                .raw(request.replaceFirst(", |$", " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + token)
                        + "\r\n\r\n");
        Map<String, String> headers = headers(answer);

        assertEquals(
                List.of(status, cacheControl, vary, type, others),
                List.of(
                        answer.split(" ", 3)[1],
                        headers.getOrDefault("Cache-Control", "-"),
                        headers.getOrDefault("Vary", "-"),
                        headers.getOrDefault("Content-Type", "-"),
                        others(headers)));
    }

    private static Http port(String name, RunningService whole) {
        return switch (name) {
            case "app" -> whole.app();
            case "admin", "stranger" -> whole.strangersAdmin();
            default -> Objects.requireNonNull(OTHERS.get(name), name).app();
        };
    }

    /** By their names; all values of one that is there twice. */
    private static Map<String, String> headers(String answer) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        answer.substring(0, answer.indexOf("\r\n\r\n")).lines().skip(1).forEach(line -> {
            String[] field = line.split(": ", 2);
            headers.merge(field[0], field[1], (one, other) -> one + " and " + other);
        });
        LEFT_OUT.forEach(headers::remove);
        return headers;
    }

    private static String others(Map<String, String> headers) {
        Map<String, String> left = new TreeMap<>(headers);
        COLUMNS.forEach(left::remove);
        List<String> others = new ArrayList<>();
        WORDS.forEach((word, meant) -> {
            if (left.entrySet().containsAll(meant.entrySet())) {
                left.keySet().removeAll(meant.keySet());
                others.add(word);
            }
        });
        left.forEach((name, value) -> others.add(name + ": " + value));
        return others.isEmpty() ? "-" : others.stream().sorted().collect(Collectors.joining("; "));
    }
}
