package org.idallocator.service.fuzz;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/**
 * Whatever bytes come, each port answers as HTTP does or closes the connection, fails nowhere, and serves on. A run
 * that fails names its seed, which {@code -Dfuzz.seed=} runs again, and keeps the request in {@code target/fuzz}: it
 * belongs into the resources then, beside what has failed before.
 */
class FuzzTest {
    private static final int REQUESTS = Proof.size(400, 40_000);
    private static final int THREADS = 4;
    private static final int ENOUGH_BYTES = 65_536;
    private static final int SHORT_MILLIS = 50;
    private static final int UNAVAILABLE = 503;
    private static final int NO_SUCH_VERSION = 505;
    private static final String TOKEN = "Authorization: Bearer " + RunningService.TOKEN;
    private static final byte[] RESUME = ("POST /tasks/resume HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + TOKEN + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([0-9]{3}) [^\r\n]*");
    private static final Pattern REQUEST_LINE = Pattern.compile("[!-~]+ [!-~]+ HTTP/1\\.[01]");
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path data;

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @SuppressWarnings("NullAway.Init")
    private static Said said;

    @BeforeAll
    static void start() {
        service = RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.dataDir=" + data,
                        "zookeeper.sessionTimeout=60s")
                .awaitReady();
        said = new Said(Logger.ROOT_LOGGER_NAME, Level.INFO);
    }

    @AfterAll
    static void stop() {
        said.close();
        service.close();
    }

    private static List<Http> ports() {
        return List.of(service.app(), service.strangersAdmin());
    }

    @Test
    void shouldAnswerWhatHasFailedBefore() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> requests = files.sorted().toList();
            assertTrue(requests.size() > 1, "requests: " + requests.size());
            for (Path request : requests) {
                for (Http port : ports()) {
                    assertEquals("", fault(port, Files.readAllBytes(request)), request.toString());
                }
            }
        }
        assertServes();
    }

    @Test
    void shouldAnswerAnythingAndLeaveNothingBehind() throws InterruptedException {
        long seed = Long.getLong("fuzz.seed", new Random().nextLong());
        System.out.println("fuzz.seed=" + seed);
        int before = Thread.activeCount();
        Set<EndPoint> others = connections();
        List<String> faults = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(i -> new Thread(() -> run(seed + i, REQUESTS / THREADS, faults), "fuzz-" + i))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), faults, "seed " + seed);
        await("no connection is left").until(() -> others.containsAll(connections()));
        assertEquals("", fault(service.strangersAdmin(), RESUME)); // where a drain was written in another way
        service.awaitServing();
        assertServes();
        assertTrue(Thread.activeCount() < before + 100, "threads: " + before + ", then " + Thread.activeCount());
    }

    private static void run(long seed, int count, List<String> faults) {
        FuzzedRequests requests = new FuzzedRequests(new Random(seed));
        for (int i = 0; i < count && faults.isEmpty(); i++) {
            boolean operator = i % 4 == 3; // half of those to the admin port
            byte[] request = requests.next(operator ? List.of(TOKEN) : List.of());
            Http port = ports().get(i % 2);
            String fault = fault(port, request);
            if (operator && new String(request, StandardCharsets.ISO_8859_1).contains("drain")) {
                fault += fault(port, RESUME); // a drained replica would refuse all that follows
            }
            if (!fault.isEmpty()) {
                faults.add(fault + ", kept in " + keep(seed + "-" + i, request));
            }
        }
    }

    private static Path keep(String name, byte[] request) {
        try {
            Path directory = Files.createDirectories(Path.of("target", "fuzz"));
            return Files.write(directory.resolve(name + ".http"), request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong with the answer to a request; empty when nothing is. */
    private static String fault(Http port, byte[] request) {
        String answer = answer(port, request);
        String head = answer.split("\r\n\r\n", 2)[0];
        Matcher status = STATUS.matcher(head);
        if (answer.isEmpty()) {
            return ""; // closed
        } else if (answer.equals(HUNG)) {
            return "it hangs";
        } else if (!status.lookingAt()) {
            return "no HTTP: " + head;
        }
        int code = Integer.parseInt(status.group(1));
        String line = new String(request, StandardCharsets.ISO_8859_1).split("[\r\n]", 2)[0];
        boolean ofOtherVersion = !REQUEST_LINE.matcher(line).matches(); // than everybody speaks
        boolean html = head.toLowerCase(Locale.ROOT).contains("content-type: text/html");
        // A report of the checks, of a replica that another thread has drained. What fails is no report but a problem.
        boolean unhealthy =
                code == 500 && line.contains("/healthcheck") && head.contains("Content-Type: application/json");
        if (code >= 500 && code != UNAVAILABLE && !unhealthy && !(code == NO_SUCH_VERSION && ofOtherVersion)) {
            return "it fails: " + answer;
        }
        return html && code != 200 ? "HTML: " + answer : "";
    }

    private static final String HUNG = "hung";

    /** What the port sends until it has answered, or has closed the connection once nothing more comes. */
    private static String answer(Http port, byte[] request) {
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port())) {
            socket.setSoTimeout(SHORT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.getOutputStream().write(request);
            byte[] buffer = new byte[16_384];
            while (answer.length() < ENOUGH_BYTES && !isWhole(answer)) {
                try {
                    int read = socket.getInputStream().read(buffer);
                    if (read < 0) {
                        break;
                    }
                    answer.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
                } catch (SocketTimeoutException e) {
                    if (socket.isOutputShutdown()) {
                        return HUNG;
                    }
                    socket.shutdownOutput();
                    socket.setSoTimeout((int) HangGuard.TIME.toMillis());
                }
            }
        } catch (IOException e) {
            return answer.toString(); // closed while somebody still writes
        }
        return answer.toString();
    }

    /** Whether an answer that says its length has come; all others end with the connection. */
    private static boolean isWhole(StringBuilder answer) {
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        Matcher length = LENGTH.matcher(answer.substring(0, end));
        return length.find() && answer.length() - end - 4 >= Long.parseLong(length.group(1));
    }

    private static void assertServes() {
        assertEquals(200, service.app().status("/ids/sno"));
        assertEquals(200, service.strangersAdmin().status("/leases"));
        List<ILoggingEvent> errors = said.events().stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                .filter(event -> !event.getLoggerName().startsWith("io.dropwizard.health.")) // tells of each drain
                .toList();
        assertEquals(List.of(), errors);
    }

    /**
     * Those of both ports that are open. One whose output is shut serves nobody, and may last until Jetty finds that it
     * is idle.
     */
    private static Set<EndPoint> connections() {
        Server server = service.support().getEnvironment().getAdminContext().getServer();
        return Stream.of(server.getConnectors())
                .flatMap(connector -> connector.getConnectedEndPoints().stream())
                .filter(connection -> connection.isOpen() && !connection.isOutputShutdown())
                .collect(Collectors.toSet());
    }
}
