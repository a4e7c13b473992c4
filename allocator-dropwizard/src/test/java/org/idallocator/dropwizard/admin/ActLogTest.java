package org.idallocator.dropwizard.admin;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.config.AdminSection;
import org.idallocator.dropwizard.testing.Http;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What the log tells of changes that somebody asks for on a port behind a guard. */
class ActLogTest {
    private static final String TOKEN = "the-token-of-all-tests";
    private static final String SHOWN = "Authorization: Bearer " + TOKEN + "\r\n";

    /** What is to be done in a minute. */
    private List<Runnable> later = new CopyOnWriteArrayList<>();

    private final ActLog acts = new ActLog(task -> later.add(task));
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final Logger logger = (Logger) LoggerFactory.getLogger(ActLog.class);
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();

    @BeforeEach
    void start() throws Exception {
        written.list = new CopyOnWriteArrayList<>();
        written.start();
        logger.addAppender(written);
        logger.setLevel(Level.INFO);
        Map<String, String> section = Map.of("token", TOKEN);
        AdminToken token =
                AdminToken.of(Jackson.newObjectMapper().convertValue(section, AdminSection.class), Optional.empty());
        AdminGuard guard = new AdminGuard(List.of(), token, acts);
        guard.setHandler(new Answering());
        server.setHandler(guard);
        server.addConnector(connector);
        // As a proxy in front has it, with useForwardedHeaders of the connector.
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .addCustomizer(new ForwardedRequestCustomizer());
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        logger.detachAppender(written);
        logger.setLevel(null);
    }

    /** Answers 200, or with the status that the path says; fails at a path that says {@code fail}. */
    private final class Answering extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            String path = Request.getPathInContext(request);
            if (path.equals("/fail")) {
                throw new IllegalStateException("a mistake of the program");
            } else if (path.equals("/method")) {
                Request strange = new Request.Wrapper(request) {
                    @Override
                    public String getMethod() {
                        return "POST\nact passed" + "y".repeat(3_000);
                    }
                };
                acts.refused(strange, 401, Optional.empty());
            } else if (path.equals("/subject")) {
                acts.refused(request, 401, Optional.of(new X500Principal("CN=a\\0Aact passed, OU=\\\"b")));
            } else if (path.matches("/\\d{3}")) {
                response.setStatus(Integer.parseInt(path.substring(1)));
            }
            callback.succeeded();
            return true;
        }
    }

    private String ask(String start, String fields) {
        return new Http(connector.getLocalPort())
                .raw(start + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + fields + "\r\n");
    }

    private List<String> lines() {
        return written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** The one line so far, which may come a little later than the answer. */
    private String line() {
        await().until(() -> !written.list.isEmpty());
        assertEquals(1, lines().size(), lines()::toString);
        return lines().get(0);
    }

    private void aMinutePasses() {
        List<Runnable> due = later;
        later = new CopyOnWriteArrayList<>();
        due.forEach(Runnable::run);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /tasks/drain, 200",
        "POST, /409, 409",
        "DELETE, /503, 503",
        "PUT, /fail, 500",
    })
    void shouldTellOfAChangeThatPassesAndWhatCameOfIt(String method, String path, int status) {
        ask(method + " " + path, SHOWN);

        assertEquals(
                "act passed status=" + status + " address=127.0.0.1 method=" + method + " path=" + path
                        + " certificate=none",
                line());
        assertEquals(Level.INFO, written.list.get(0).getLevel());
        assertEquals(
                "act=passed, status=" + status + ", address=127.0.0.1, method=" + method + ", path=" + path
                        + ", certificate=none",
                written.list.get(0).getKeyValuePairs().stream()
                        .map(pair -> pair.key + "=" + pair.value)
                        .collect(Collectors.joining(", ")));
    }

    /** What the servlets take for the same is told as the same. */
    @ParameterizedTest
    @ValueSource(strings = {"/%74asks/%64rain", "/tasks;secret/drain", "/leases/../tasks/drain"})
    void shouldTellThePathAsServletsSeeIt(String spelling) {
        ask("POST " + spelling, SHOWN);

        assertTrue(line().contains(" path=/tasks/drain "), this::line);
    }

    @ParameterizedTest
    @CsvSource({
        "401, POST, /tasks/drain, ''",
        "401, DELETE, /leases/sno/0001, 'Authorization: Bearer another-token'",
        "403, POST, /tasks/resume, 'Origin: http://evil.example'",
        "404, POST, /pprof, ''",
    })
    void shouldTellOfAChangeThatIsRefused(int status, String method, String path, String field) {
        ask(method + " " + path, field.isEmpty() ? "" : field + "\r\n");

        assertEquals(
                "act refused status=" + status + " address=127.0.0.1 method=" + method + " path=" + path
                        + " certificate=none",
                line());
        assertEquals(Level.INFO, written.list.get(0).getLevel());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void shouldTellOfNothingThatChangesNothing(String method) {
        ask(method + " /leases", "");
        ask(method + " /leases", "Origin: http://evil.example\r\n");
        ask("POST /tasks/gc", SHOWN);

        assertTrue(line().contains("method=POST"), "the last one alone");
    }

    /** Somebody may show the token where it does not belong. */
    @ParameterizedTest
    @ValueSource(strings = {"Authorization: Bearer ", "Authorization: Bearer x", "Origin: http://", "Cookie: "})
    void shouldNotTellTheToken(String field) {
        ask("POST /tasks/drain?token=" + TOKEN, field + TOKEN + "\r\n");

        assertFalse(line().contains(TOKEN), line());
        assertFalse(written.list.get(0).getKeyValuePairs().toString().contains(TOKEN));
    }

    /** A later version of HTTP may let a client write what this one does not. */
    @Test
    void shouldStayOneLineWhateverMethodAClientWrites() {
        ask("GET /method", "");

        assertTrue(line().matches("[ -~]{1,250}"), line());
        assertTrue(line().startsWith("act refused status=401 address=127.0.0.1 method=POST<U+000A>act"), line());
    }

    @Test
    void shouldTellTheSubjectOfACertificateInOneLine() {
        ask("GET /subject", "");

        assertEquals("certificate=\"CN=a<U+000A>act passed,OU=\\'b\"", line().split(" ", 7)[6]);
    }

    @Test
    void shouldCutWhatAClientWrites() {
        ask("POST /" + "z".repeat(3_000), SHOWN);

        assertTrue(line().length() < 250, line());
    }

    @Test
    void shouldTellOfOneRefusedChangeAMinuteAndHowManyMoreThereWere() {
        for (int i = 0; i < 100; i++) {
            ask("POST /" + i, "");
        }
        assertEquals("path=/0", line().split(" ", -1)[5]);

        written.list.clear();
        aMinutePasses();
        assertEquals(List.of("act refused: 99 more in a minute from 127.0.0.1"), lines());

        aMinutePasses();
        assertEquals(List.of(), later, "nothing is waited for when nobody asks");
        written.list.clear();
        ask("POST /again", "");
        assertEquals("path=/again", line().split(" ", -1)[5]);
    }

    @Test
    void shouldBeAsTheSecurityPageShows() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "security.md"));
        List<String> shown =
                page.split("```\n(?=act )", 2)[1].split("```", 2)[0].lines().toList();
        ask("POST /tasks/drain", SHOWN + "X-Forwarded-For: 10.1.2.3\r\n");
        assertEquals(shown.get(0), line());
        for (int i = 0; i < 100; i++) {
            ask("DELETE /leases/sno/0017", "X-Forwarded-For: 10.1.2.9\r\n");
        }
        aMinutePasses();

        assertEquals(shown, lines());
    }

    /** Strangers must not hide what operators do. */
    @Test
    void shouldTellOfEachChangeThatPassesWhateverIsRefused() {
        for (int i = 0; i < 10; i++) {
            ask("POST /tasks/drain", "");
            ask("POST /tasks/drain", SHOWN);
        }

        await().until(() ->
                lines().stream().filter(line -> line.startsWith("act passed ")).count() == 10);
    }

    @Test
    void shouldTellTheAddressesOfRefusedChangesApartAndNotWithoutEnd() {
        for (int i = 0; i < 300; i++) {
            ask("POST /tasks/drain", "X-Forwarded-For: 10.0." + i / 250 + "." + i % 250 + "\r\n");
        }
        List<String> told = lines();

        assertTrue(told.get(0).contains(" address=10.0.0.0 "), told.get(0));
        assertTrue(told.get(99).contains(" address=10.0.0.99 "), told.get(99));
        assertEquals(101, told.size());

        written.list.clear();
        aMinutePasses();
        assertEquals(List.of("act refused: 199 more in a minute from other addresses"), lines());
    }
}
