package org.idallocator.library;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.Ports;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs with builds of their own, as strangers have them, work with the library and with nothing else of this build:
 * the one in {@code program/}, and what docs/library.md shows, as it stands there. All draw IDs on a real ZooKeeper.
 */
@ProofOnly("builds of their own, outside of this one")
class LibraryIT {
    private static final Path ROOT = Path.of("..", "..");
    private static final String JAVA_SECTION = "In a Java program";
    private static final String DROPWIZARD_SECTION = "In a Dropwizard program";

    /**
     * What the library brings to its users: jars whose names begin with one of these. No binding of SLF4J, nothing of
     * tests.
     */
    private static final Pattern EXPECTED = Pattern.compile(
            "(allocator-core|allocator-zk|curator-client|curator-framework|zookeeper|zookeeper-jute|netty-[a-z0-9-]+"
                    + "|jackson-[a-z0-9-]+|guava|failureaccess|listenablefuture|jspecify|slf4j-api|commons-io"
                    + "|audience-annotations|jsr305|checker-qual|error_prone_annotations|j2objc-annotations)-[0-9].*");

    @TempDir
    private static Path directory;

    private static LocalRepository repository;
    private static ZooKeeperProcesses zookeeper;
    private static Guide guide;
    private static List<String> blocks;
    private static Stranger program;

    @BeforeAll
    static void start() throws IOException {
        repository = LocalRepository.in(directory.resolve("repository"));
        guide = Guide.at(ROOT.resolve("docs/library.md"));
        zookeeper = ZooKeeperProcesses.alone();
        FirstStart.withoutWaiting(AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(zookeeper.connectString())));
        blocks = guide.blocks(JAVA_SECTION, "java", zookeeper.connectString());
        program = buildProgram();
    }

    @AfterAll
    static void stop() throws IOException {
        zookeeper.close();
        repository.deleteLinks();
    }

    /**
     * One build compiles the program and, as classes beside it, each block of the guide as it stands, without a
     * warning.
     */
    private static Stranger buildProgram() throws IOException {
        Stranger stranger = Stranger.copyOf("program", directory.resolve("program"));
        for (int i = 0; i < blocks.size(); i++) {
            stranger.add(block(i), Guide.source(block(i), blocks.get(i)));
        }
        stranger.build(repository);
        return stranger;
    }

    /** The class with this block of the guide. */
    private static String block(int i) {
        return "Guide" + i;
    }

    @Test
    void shouldDrawIdsInAnotherBuild() throws IOException {
        assertEquals(
                List.of(),
                program.classPath().stream()
                        .filter(jar -> !EXPECTED.matcher(jar).matches())
                        .toList());
        List<Sno> drawn = program.run("Program", zookeeper.connectString(), "1000").stream()
                .flatMap(line -> Sno.tryParse(line).stream())
                .toList();
        assertEquals(1_000, new HashSet<>(drawn).size());
        assertTrue(guide.text().contains("`verification/library/program`"), "people are told of it");
        System.out.println("a program outside of this build drew " + drawn.get(0) + ", with " + program.classPath());
    }

    /** Each block stands alone: it has its imports, and draws. */
    @ParameterizedTest
    @MethodSource("blocks")
    void shouldDrawWhatTheGuideShowsToJavaPrograms(int block) throws IOException {
        List<String> said = program.run(block(block));

        assertTrue(said.stream().anyMatch(LibraryIT::hasSno), said::toString);
    }

    static IntStream blocks() {
        return IntStream.range(0, blocks.size());
    }

    @Test
    void shouldShowAnAllocatorAmongTheBlocks() {
        assertTrue(blocks.stream().anyMatch(block -> block.contains("awaitReady")), blocks::toString);
    }

    private static boolean hasSno(String line) {
        return Stream.of(line.split("[ ,]+"))
                .anyMatch(word -> Sno.tryParse(word).isPresent());
    }

    @Test
    void shouldCompileAndServeWhatTheGuideShowsToDropwizardPrograms() throws IOException {
        Stranger shop = Stranger.copyOf("shop", directory.resolve("shop"));
        String code = String.join("\n", guide.blocks(DROPWIZARD_SECTION, "java", zookeeper.connectString()));
        shop.add("Shop", Guide.source("Shop", code));
        shop.build(repository);
        assertEquals(
                List.of(),
                shop.classPath().stream()
                        .filter(jar -> jar.matches("allocator-service-.*|.*json-logging.*"))
                        .toList());
        List<Integer> ports = Ports.free(2);
        Path config = Files.writeString(
                shop.home().resolve("shop.yml"),
                String.join("\n", guide.blocks(DROPWIZARD_SECTION, "yaml", zookeeper.connectString()))
                        + """
                server:
                  applicationConnectors: [{type: http, port: %d, bindHost: 127.0.0.1}]
                  adminConnectors: [{type: http, port: %d, bindHost: 127.0.0.1}]
                """.formatted(ports.get(0), ports.get(1)));

        Path output = shop.home().resolve("shop.log");
        try (ChildProcess running = shop.start("Shop", output, List.of("server", config.toString()))) {
            URI orders = URI.create("http://127.0.0.1:" + ports.get(0) + "/orders");
            await().failFast(() -> assertTrue(running.alive(), running::tail))
                    .untilAsserted(() -> assertTrue(order(orders).isPresent(), running::tail));
            Sno first = order(orders).orElseThrow();
            assertNotEquals(first, order(orders).orElseThrow());
            assertFalse(Files.readString(output).contains("are different"), "versions of logback");
        }
    }

    /** The number of one more order; empty while the shop or its allocator is starting. */
    private static Optional<Sno> order(URI orders) {
        HttpRequest request = HttpRequest.newBuilder(orders)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            HttpResponse<String> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(Sno.parse(response.body())) : Optional.empty();
        } catch (ConnectException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The program's own build, which Maven accepted, is what the guide tells; Gradle is told the same. */
    @Test
    void shouldShowTheCoordinatesByWhichTheProgramGetsTheLibrary() throws IOException {
        String dependency = withoutMargins(guide.blocks(JAVA_SECTION, "xml", "").get(0));
        String gradle = guide.blocks(JAVA_SECTION, "kotlin", "").get(0);

        assertTrue(
                withoutMargins(Files.readString(Path.of("program", "pom.xml"))).contains(dependency), dependency);
        assertTrue(dependency.contains("<version>" + LocalRepository.VERSION + "</version>"), dependency);
        assertTrue(gradle.contains("\"org.idallocator:allocator-zk:" + LocalRepository.VERSION + "\""), gradle);
        assertTrue(gradle.contains("mavenLocal { content { includeGroup(\"org.idallocator\") } }"), gradle);
    }

    private static String withoutMargins(String text) {
        return text.replaceAll("(?m)^\\s+", "");
    }

    /** Everything that others see of a class: its sources and its documentation. */
    @Test
    void shouldHaveSourcesAndDocumentation() throws IOException {
        assertHas("allocator-core", "-sources.jar", "org/idallocator/core/id/Sno.java");
        assertHas("allocator-core", "-javadoc.jar", "org/idallocator/core/id/Sno.html");
        assertHas("allocator-zk", "-sources.jar", "org/idallocator/zk/IdAllocator.java");
        assertHas("allocator-zk", "-javadoc.jar", "org/idallocator/zk/IdAllocator.html");
        assertHas("allocator-hibernate", "-sources.jar", "org/idallocator/hibernate/GeneratedId.java");
        assertHas("allocator-hibernate", "-javadoc.jar", "org/idallocator/hibernate/GeneratedId.html");
        assertHas("allocator-dropwizard", "-sources.jar", "org/idallocator/dropwizard/IdAllocatorBundle.java");
        assertHas("allocator-dropwizard", "-javadoc.jar", "org/idallocator/dropwizard/IdAllocatorBundle.html");
        assertHas("allocator-spring-boot-starter", "-sources.jar", "org/idallocator/spring/IdAllocatorMeters.java");
        assertHas("allocator-spring-boot-starter", "-javadoc.jar", "org/idallocator/spring/IdAllocatorMeters.html");
    }

    private static void assertHas(String artifact, String suffix, String entry) throws IOException {
        try (JarFile jar = new JarFile(repository.jar(artifact, suffix).toFile())) {
            assertTrue(jar.getEntry(entry) != null, () -> entry + " is not in " + jar.getName());
        }
    }
}
