package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.Docker;
import org.idallocator.zk.testing.ServiceContainer;
import org.idallocator.zk.testing.ServiceImage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the documents promise of the image, read off the image and its containers. How soon a container answers is
 * measured by {@code bench.jar start}, on a machine that does nothing else.
 */
@ProofOnly("builds the image, and starts a dozen containers of it")
class ImageIT {
    private static final long MOST_BYTES = 200_000_000;
    private static final int STREAMS = 1_200;
    private static final int ANSWERED = 900; // those that have begun, as limits allow, and those that were refused
    private static final int ORDERLY_SECONDS = 25;
    private static final int TERMINATED = 128 + 15;
    private static final int OUT_OF_MEMORY = 3;
    private static final String JAVA = "/allocator/java/bin/java";
    private static final String JAR = "/allocator/allocator-service.jar";

    /** As docker-compose.yml and config/kubernetes have it, but for a ZooKeeper that is inside and writes. */
    private static final List<String> LOCKED = List.of(
            "--read-only",
            "--tmpfs=/tmp",
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            "--volume=/allocator/.id-allocator");

    private static final List<String> LOCKED_AND_SMALL =
            Stream.concat(LOCKED.stream(), Stream.of("--memory=256m")).toList();

    private static final Pattern AMISS = Pattern.compile(
            "NoClassDefFound|ClassNotFound|NoSuchModule|UnsatisfiedLink|Read-only file|ERROR|Exception");
    private static final Pattern SHELL =
            Pattern.compile("(?m)^(?:.*/)?(?:sh|bash|dash|ash|busybox|apt|apt-get|dpkg|su)$");

    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private static ServiceImage image;

    @BeforeAll
    static void build() {
        Docker.whyNot().ifPresent(reason -> assumeTrue(false, "no image: " + reason));
        image = ServiceImage.built();
    }

    @Test
    void shouldBeSmallAndHaveNoShell() {
        long bytes = Long.parseLong(image.inspect("{{.Size}}"));
        assertTrue(bytes <= MOST_BYTES, () -> bytes + " bytes");
        try (ServiceContainer container = image.start(List.of(), "--version")) {
            String files = container.files();

            assertTrue(files.contains(JAR.substring(1) + "\n"), files);
            assertFalse(SHELL.matcher(files).find(), files);
        }
    }

    /**
     * The calls of docs/deploying.md, on ports and in a directory of the test's own. Without a ZooKeeper a replica
     * waits for it.
     */
    @ParameterizedTest
    @MethodSource
    void shouldRunAsTheDocumentsSay(List<String> call) {
        int name = call.indexOf("id-allocator");
        List<String> options = new ArrayList<>(call.subList(0, name));
        for (int port = options.indexOf("-p"); port >= 0; port = options.indexOf("-p")) {
            options.subList(port, port + 2).clear();
        }
        options.replaceAll(option -> option.replaceFirst("^ids:", ""));
        String[] arguments = call.subList(name + 1, call.size()).toArray(String[]::new);
        try (ServiceContainer container = image.start(options, arguments)) {
            container.awaitAnswer(arguments.length == 0 ? "/health-check?type=alive" : "/ids/sno");
            assertEquals(arguments.length == 0, container.log().contains("zk1:2181"), container::log);
        }
    }

    static List<List<String>> shouldRunAsTheDocumentsSay() throws IOException {
        String section = Files.readString(Path.of("..", "..", "docs", "deploying.md"))
                .split("## The image", 2)[1]
                .split("\n## ", 2)[0];
        List<List<String>> calls = Pattern.compile("(?m)^docker run --rm ([^#\n]*)")
                .matcher(section.replace("\\\n", ""))
                .results()
                .map(found -> List.of(found.group(1).strip().split(" +")))
                .toList();
        assertEquals(3, calls.size(), section);
        return calls;
    }

    /** With all rights taken away, and nothing to write to but /tmp and the embedded ZooKeeper's directory. */
    @Test
    void shouldServeAndRunEachCommandWithoutRights() {
        try (ServiceContainer container = image.start(LOCKED, "server")) {
            container.awaitAnswer("/health-check");
            await("Docker says that it is healthy")
                    .until(() -> container.inspect("{{.State.Health.Status}}").equals("healthy"));
            List<List<String>> calls = new ArrayList<>(List.of(
                    List.of("--version"),
                    List.of("check"),
                    List.of("check", "/config/cluster.yml"),
                    List.of("doctor"),
                    List.of("leases", "list"),
                    List.of("inspect", "9q7qmwq2222dhi22")));
            for (String scheme : Schemes.names()) {
                assertFalse(container.awaitAnswer("/ids/" + scheme).isBlank());
                calls.add(List.of("generate", scheme));
            }
            for (List<String> call : calls) {
                String said = container.execute(Stream.concat(Stream.of(JAVA, "-jar", JAR), call.stream())
                        .toArray(String[]::new));
                assertFalse(AMISS.matcher(said).find(), said);
            }
            assertFalse(container.awaitAnswer("/openapi.json").isBlank());
            assertFalse(container.awaitAnswer("/console").isBlank());

            assertTrue(container.processes("comm").get(0).contains("tini"), "it reaps what others leave behind");
            assertEquals("10001:10001", image.inspect("{{.Config.User}}"));
            assertEquals(Set.of("10001"), Set.copyOf(container.processes("uid")));
            assertFalse(AMISS.matcher(container.log()).find(), container::log);
        }
    }

    /** The check needs no shell, and neither does whoever writes the command. */
    @Test
    void shouldBeUnhealthyWhenNotReady() {
        String[] check = image.inspect("{{range .Config.Healthcheck.Test}}{{println .}}{{end}}")
                .lines()
                .toArray(String[]::new);
        assertEquals("CMD", check[0]);
        String[] command = List.of(check).subList(1, check.length).toArray(String[]::new);

        try (ServiceContainer alone = image.start(List.of())) { // of a cluster, and there is no ZooKeeper
            alone.awaitAnswer("/health-check?type=alive");
            assertEquals(1, alone.status(command));
        }
        try (ServiceContainer container = image.start(List.of(), "server")) {
            container.awaitAnswer("/health-check");
            assertEquals(0, container.status(command));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "inspect 9q7qmwq2222dhi22"})
    void shouldTakeItsClassesFromTheArchive(String call) {
        List<String> options = List.of("--env=JDK_JAVA_OPTIONS=-Xlog:class+load");
        try (ServiceContainer container = image.start(options, call.split(" ", -1))) {
            if (call.equals("server")) {
                container.awaitAnswer("/ids/sno");
            } else {
                assertEquals(0, container.awaitEnd());
            }
            List<String> loaded = container
                    .log()
                    .lines()
                    .filter(line -> line.contains(" source: "))
                    .toList();
            List<String> own = loaded.stream()
                    .filter(line -> line.contains(" org.idallocator."))
                    .toList();

            assertNotEquals(List.of(), own);
            assertEquals(
                    List.of(),
                    own.stream().filter(line -> line.contains(".jar")).toList());
        }
    }

    @Test
    void shouldGiveItsSlotsBackWhenItIsStopped() {
        try (ServiceContainer container = image.start(LOCKED_AND_SMALL, "server")) {
            container.awaitAnswer("/health-check");

            assertEquals(TERMINATED, container.stop(ORDERLY_SECONDS));

            String log = container.log();
            long leased = Schemes.all().stream()
                    .filter(scheme -> scheme.pool().isPresent())
                    .count();
            assertEquals(
                    leased,
                    log.lines().filter(line -> line.contains("lease released ")).count(),
                    log);
        }
    }

    @Test
    void shouldEndWhenMemoryIsUsedUp() {
        try (ServiceContainer container = image.start(List.of("--env=JDK_JAVA_OPTIONS=-Xmx12m"), "server")) {
            assertEquals(OUT_OF_MEMORY, container.awaitEnd());
            assertTrue(container.log().contains("Terminating due to java.lang.OutOfMemoryError"), container::log);
        }
    }

    @Test
    void shouldSurviveUnreadAnswersIn256Megabytes() {
        try (ServiceContainer container = image.start(LOCKED_AND_SMALL, "server")) {
            container.awaitAnswer("/health-check");
            int port = container.port();
            for (int count : List.of(
                    100_000_000, 10_000, 100_000_000)) { // streamed ones, and such as are drawn before they are sent
                List<SlowReader> streams = unread(port, count);
                await("answers have begun")
                        .until(() ->
                                streams.stream().filter(SlowReader::answered).count() >= ANSWERED);
                streams.forEach(SlowReader::close);
            }

            container.awaitAnswer("/health-check");
            container.awaitAnswer("/ids/sno");
            assertEquals(
                    "running false 0", container.inspect("{{.State.Status}} {{.State.OOMKilled}} {{.RestartCount}}"));
            assertFalse(container.log().contains("OutOfMemory"), container::log);
        }
    }

    /** Clients who ask for much and read nothing. */
    private static List<SlowReader> unread(int port, int count) {
        URI address = URI.create("http://127.0.0.1:" + port);
        String request =
                "GET /ids/gid?count=" + count + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
        return Stream.generate(() -> SlowReader.sending(address, request))
                .limit(STREAMS)
                .toList();
    }
}
