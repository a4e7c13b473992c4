package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.decode.IdParser;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is answered in front of Jersey, and that nobody can tell: a service without that answers the same, header by
 * header.
 */
class ExpressTest {
    private static final String END = "\r\n";

    /** A request for IDs, whichever way they are asked for. */
    private static final Pattern ASKED = Pattern.compile("[A-Z]+ (http://localhost)?/ids/(?<scheme>[a-z0-9]+)[ ?;#]");

    /** Fields that the request or the slot decides on. */
    private static final Set<String> SAME =
            Set.of("metabyte", "partition", "medallion", "offset", "generator", "cluster", "worker", "prefix");

    private static final List<String> ACCEPTS = List.of(
            "*/*",
            "text/plain",
            "application/json",
            "application/x-ndjson",
            "text/*",
            "TEXT/PLAIN",
            "text/plain ",
            "text/html, text/plain;q=0.5",
            "application/json, text/plain",
            "application/json;q=0",
            "text/plain;q=0, */*",
            "application/json;charset=utf-8",
            "image/png",
            "nonsense",
            "",
            "application/json,text/plain,*/*",
            "application/json, text/plain;q=0.9, */*",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
                    + "application/signed-exchange;v=b3;q=0.7",
            "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2");

    /**
     * What widely used clients send whose programs say nothing of it: line for line what is not the same for all
     * clients.
     */
    private static final Map<String, String> CLIENTS = Map.of(
            "curl", "Accept: */*",
            "Java's HttpClient",
                    "Connection: Upgrade, HTTP2-Settings" + END + "Content-Length: 0" + END
                            + "HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA" + END + "Upgrade: h2c",
            "Java's URLConnection", "Accept: text/html, image/gif, image/jpeg, */*; q=0.2",
            "python-requests", "Accept-Encoding: gzip, deflate" + END + "Accept: */*" + END + "Connection: keep-alive",
            "Go", "Accept-Encoding: gzip",
            "Node's fetch", "accept: */*" + END + "accept-language: *" + END + "sec-fetch-mode: cors",
            "axios, and Angular",
                    "Accept: application/json, text/plain, */*" + END + "Accept-Encoding: gzip, compress, deflate, br",
            "Spring, for a String", "Accept: text/plain, application/json, application/*+json, */*",
            "Spring, for an object", "Accept: application/json, application/*+json");

    private static final List<String> HEADERS = List.of(
            "Origin: https://shop.example.com",
            "Expect: 100-continue",
            "Expect: nonsense",
            "If-None-Match: *",
            "If-Match: \"x\"",
            "If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT",
            "If-Unmodified-Since: Thu, 01 Jan 2026 00:00:00 GMT",
            "Range: bytes=0-1",
            "Content-Type: application/json",
            "Content-Encoding: gzip",
            "Content-Length: 0",
            "Content-Length: 3" + END + END + "abc",
            "Transfer-Encoding: chunked" + END + END + "0" + END,
            "Transfer-Encoding: chunked" + END + END + "1" + END + "a" + END + "0" + END,
            "Accept: text/html" + END + "Accept: application/json",
            "Accept: text/plain" + END + "Accept: application/json",
            "Accept-Encoding: gzip",
            "Accept-Encoding: identity;q=0",
            "Accept-Language: de",
            "Accept-Charset: utf-8",
            "Accept-Charset: nonsense;q=0, *;q=0",
            "Access-Control-Request-Method: POST",
            "Cookie: a=b",
            "Authorization: Basic eDp5",
            "TE: trailers",
            "Trailer: X",
            "Upgrade: h2c",
            "X-Forwarded-For: 10.0.0.1",
            "X-HTTP-Method-Override: POST",
            "X-Nothing: at all");

    private static final List<String> TARGETS = List.of(
            "/ids/sno?",
            "/ids/sno?&",
            "/ids/sno?=",
            "/ids/sno?form",
            "/ids/sno?form=canonical",
            "/ids/sno?form=hex&metabyte=7",
            "/ids/sno?metabyte=7&form=uuid",
            "/ids/sno?metabyte=%37",
            "/ids/sno?metabyte=+7",
            "/ids/sno?metabyte=007",
            "/ids/sno?count=1",
            "/ids/sno?count=2",
            "/ids/sno?count=1&form=hex",
            "/ids/muid?transaction=true",
            "/ids/muid?transaction=true&count=1",
            "/ids/muid?transaction=true&count=3",
            "/ids/muid?transaction=false",
            "/ids/gid?type=log",
            "/ids/gid?type=segment&form=uuid",
            "/ids/gid?TYPE=log",
            "/ids/sno/",
            "/ids/sno//",
            "//ids/sno",
            "/ids/./sno",
            "/ids/../ids/sno",
            "/IDS/sno",
            "/ids/sno;x=1",
            "/ids/%73no",
            "/ids/sno#x",
            "http://localhost/ids/sno",
            "/ids",
            "/ids/",
            "/leases",
            "/");

    @SuppressWarnings("NullAway.Init")
    private static RunningService express;

    @SuppressWarnings("NullAway.Init")
    private static RunningService byJersey;

    @BeforeAll
    static void start() {
        express = RunningService.start(ObedientApplication.class);
        byJersey = RunningService.start(ObedientApplication.ByJerseyAlone.class);
    }

    @AfterAll
    static void stop() {
        express.close();
        byJersey.close();
    }

    @AfterEach
    void serve() {
        source(express).serve();
        source(byJersey).serve();
    }

    private static ObedientApplication application(RunningService service) {
        return service.support().getApplication();
    }

    private static ObedientSource source(RunningService service) {
        return application(service).source();
    }

    private static ObedientApplication.Draws draws() {
        return application(express).draws();
    }

    private static String request(String line, String... headers) {
        String all =
                String.join("", Stream.of(headers).map(header -> header + END).toList());
        return line + END + "Host: localhost" + END + "Connection: close" + END + all + END;
    }

    private static String get(String target, String... headers) {
        return request("GET " + target + " HTTP/1.1", headers);
    }

    /** All of an answer to a request but its date, and but for what differs from one ID to the next. */
    private static String comparable(String request, String answer) {
        String undated = answer.replaceFirst("Date: [^\r]*\r\n", "");
        int head = undated.indexOf(END + END);
        if (!undated.startsWith("HTTP/1.1 200") || head < 0) {
            return undated;
        }
        String body = undated.substring(head);
        Matcher asked = ASKED.matcher(request);
        String comparable = asked.lookingAt()
                ? withoutIds(body, Schemes.named(asked.group("scheme"), Schemes.all()), form(request))
                : body.replaceAll("[A-Za-z0-9_-]", "x");
        return undated.substring(0, head) + comparable;
    }

    private static String form(String request) {
        Matcher form = Pattern.compile("[?&]form=([a-z0-9]+)").matcher(request);
        return form.find() ? form.group(1) : Form.CANONICAL;
    }

    private static <T extends Id> String withoutIds(String body, Scheme<T> scheme, String form) {
        return Pattern.compile("[A-Za-z0-9_-]{10,}").matcher(body).replaceAll(text -> same(scheme, form, text.group()));
    }

    /** What IDs of one request have in common, in place of an ID; every other text as it is. */
    private static <T extends Id> String same(Scheme<T> scheme, String form, String text) {
        T id;
        try {
            id = IdParser.parse(scheme, text, Optional.of(form));
        } catch (IllegalArgumentException e) {
            return text; // a name of JSON
        }
        return "x".repeat(text.length())
                + scheme.type().fields().stream()
                        .filter(field -> SAME.contains(field.name()))
                        .map(field -> "(" + field.name() + " " + field.value().applyAsLong(id) + ")")
                        .collect(Collectors.joining());
    }

    /** The same where IDs differ in length. */
    private static String ofAnyLength(String answer) {
        return answer.replaceAll("x{9,}", "x+").replaceFirst("Content-Length: [0-9]+", "Content-Length: +");
    }

    private static void assertSame(String request) {
        String expected = comparable(request, byJersey.app().raw(request));
        String actual = comparable(request, express.app().raw(request));
        if (request.contains("form=decimal")) {
            assertEquals(ofAnyLength(expected), ofAnyLength(actual), request);
        } else {
            assertEquals(expected, actual, request);
        }
    }

    private static void assertSame(List<String> requests) {
        assertAll(requests.stream().map(request -> () -> assertSame(request)));
    }

    @Test
    void shouldAnswerTheSameForEverySchemeFormAndMediaType() {
        List<String> requests = new ArrayList<>();
        for (Scheme<?> scheme : Schemes.all()) {
            for (String form : Forms.names(List.of(scheme))) {
                String target = "/ids/" + scheme.name() + "?form=" + form;
                ACCEPTS.stream().limit(4).forEach(accept -> requests.add(get(target, "Accept: " + accept)));
            }
            ACCEPTS.forEach(accept -> requests.add(get("/ids/" + scheme.name(), "Accept: " + accept)));
        }
        long before = draws().inFront();

        assertSame(requests);

        assertTrue(draws().inFront() >= before + 4 * 16, "these are answered in front of Jersey");
    }

    @Test
    void shouldAnswerTheSameWhateverElseIsAsked() {
        List<String> requests = new ArrayList<>();
        TARGETS.forEach(target -> requests.add(get(target)));
        HEADERS.forEach(header -> requests.add(get("/ids/sno", header)));
        for (String method : List.of("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "BREW")) {
            requests.add(request(method + " /ids/sno HTTP/1.1"));
        }
        requests.add("GET /ids/sno?count=2 HTTP/1.0" + END + END);
        requests.add(request("GET /ids/sno HTTP/1.1", "Host: another"));
        requests.add("GET /ids/sno HTTP/1.1" + END + "Connection: close" + END + END);

        assertSame(requests);
    }

    @Test
    void shouldAnswerWhatClientsSendInFrontOfJersey() {
        List<String> requests = CLIENTS.values().stream()
                .map(lines -> "GET /ids/sno HTTP/1.1" + END + "Host: localhost" + END + lines + END + END)
                .toList();
        List<String> answers = new ArrayList<>();
        long before = draws().inFront();

        requests.forEach(request -> answers.add(express.app().first(request)));

        assertEquals(before + CLIENTS.size(), draws().inFront());
        for (int i = 0; i < answers.size(); i++) {
            String request = requests.get(i);
            assertEquals(
                    comparable(request, byJersey.app().first(request)), comparable(request, answers.get(i)), request);
        }
    }

    /** Some proxies ask so unless they are told otherwise. */
    @Test
    void shouldAnswerTheSameOverHttp10() {
        List<String> requests = Stream.of(
                        "Connection: close",
                        "Connection: keep-alive",
                        "Host: localhost",
                        "Accept: application/json",
                        "Accept-Encoding: gzip",
                        "X-Forwarded-For: 10.0.0.1")
                .map(header -> "GET /ids/sno HTTP/1.0" + END + header + END + END)
                .toList();
        List<String> answers = new ArrayList<>();

        requests.forEach(request -> answers.add(express.app().first(request)));

        for (int i = 0; i < answers.size(); i++) {
            String request = requests.get(i);
            assertEquals(
                    comparable(request, byJersey.app().first(request)), comparable(request, answers.get(i)), request);
        }
    }

    @Test
    void shouldAnswerTheSameToBadRequests() {
        assertSame(BadRequestsTest.TABLE
                .lines()
                .map(line -> line.split("\\|"))
                .flatMap(row -> Stream.of("*/*", "text/plain")
                        .map(accept -> request(
                                row[0].strip() + " " + row[1].strip() + " HTTP/1.1",
                                "Accept: " + accept,
                                "Content-Length: 0")))
                .toList());
        assertSame(BadRequestsTest.TABLE
                .lines()
                .map(line -> line.split("\\|"))
                .filter(row -> row[0].strip().equals("GET"))
                .map(row -> get(row[1].strip()))
                .toList());
    }

    @Test
    void shouldLeaveToJerseyWhatIsFencedOrUsedUp() {
        for (RunningService service : List.of(express, byJersey)) {
            source(service).fence("sno", FenceReason.DEADLINE_PASSED);
            source(service).exhaust("uid60");
        }
        long before = draws().inFront();

        assertSame(List.of(
                get("/ids/sno"),
                get("/ids/sno", "Accept: text/plain"),
                get("/ids/uid60"),
                get("/ids/uid60", "Accept: application/json")));

        assertEquals(before, draws().inFront(), "nothing is drawn before Jersey is asked");
    }

    /** Jersey's draw may wait; so may reading a body, and whatever else the program has. */
    @Test
    void shouldWaitOnNoThreadOfASelector() {
        long before = draws().onSelector();
        long drawn = draws().byJersey();

        express.app().raw(get("/ids/sno?count=2"));
        express.app().raw(get("/ids/sno", "Accept: text/*"));
        express.app().raw(request("POST /ids/sno HTTP/1.1", "Content-Length: 0"));

        assertEquals(drawn + 3, draws().byJersey());
        assertEquals(before, draws().onSelector());
    }

    @Test
    void shouldDrawOnTheSelectorsThreadWhatNeedsNoWaiting() {
        long before = draws().onSelector();

        express.app().raw(get("/ids/sno"));

        assertEquals(before + 1, draws().onSelector());
    }

    /** Requests that come together would keep the selector from other connections for as long as more of them come. */
    @Test
    void shouldAnswerInOrderWhatComesTogether() throws IOException {
        long before = draws().onSelector();
        String one = "GET /ids/sno HTTP/1.1" + END + "Host: localhost" + END + END;

        List<String> ids = new ArrayList<>();
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), express.app().port())) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            String last = get("/ids/sno?metabyte=1");
            socket.getOutputStream().write((one.repeat(20) + last).getBytes(StandardCharsets.US_ASCII));
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            answers.lines().filter(line -> line.matches("[2-9a-x]{16}")).forEach(ids::add);
        }

        assertEquals(21, ids.size());
        assertEquals(ids.stream().sorted().toList(), ids);
        assertTrue(draws().onSelector() <= before + 1, "the last one may be alone");
    }

    /** The paths of the other port are not those of the routes. */
    @Test
    void shouldNotAnswerOnTheAdminPort() {
        long before = draws().inFront();

        assertTrue(express.admin().raw(get("/ids/sno")).startsWith("HTTP/1.1 404"));

        assertEquals(before, draws().inFront());
    }

    /** A handshake takes milliseconds, and may ask others about certificates. */
    @Test
    void shouldKeepOffTheSelectorsThreadWhereThereIsTls() {
        try (RunningService withTls = RunningService.startObedient(server -> server.addConnector(new ServerConnector(
                server,
                new SslConnectionFactory(new SslContextFactory.Server(), "http/1.1"),
                new HttpConnectionFactory())))) {
            withTls.app().raw(get("/ids/sno"));

            assertEquals(1, application(withTls).draws().inFront());
            assertEquals(0, application(withTls).draws().onSelector());
        }
    }

    /** A log may wait for its disk, and a selector's thread serves many connections. */
    @Test
    void shouldKeepOffTheSelectorsThreadWhenThereIsARequestLog() throws InterruptedException {
        BlockingQueue<String> logged = new LinkedBlockingQueue<>();
        RequestLog log = (request, response) -> logged.add(request.getHttpURI() + " " + response.getStatus());
        try (RunningService withLog = RunningService.startObedient(server -> server.setRequestLog(log))) {
            withLog.app().raw(get("/ids/sno"));

            assertEquals(1, application(withLog).draws().inFront());
            assertTrue(String.valueOf(logged.poll(HangGuard.MINUTES, TimeUnit.MINUTES))
                    .endsWith("/ids/sno 200"));
            assertEquals(
                    InvocationType.BLOCKING,
                    withLog.support()
                            .getEnvironment()
                            .getApplicationContext()
                            .getServer()
                            .getInvocationType());
        }
        assertEquals(
                InvocationType.NON_BLOCKING,
                express.support()
                        .getEnvironment()
                        .getApplicationContext()
                        .getServer()
                        .getInvocationType());
    }
}
