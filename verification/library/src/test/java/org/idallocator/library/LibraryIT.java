package org.idallocator.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program with a build of its own, {@code program/}, depends on {@code allocator-zk} and on nothing else. The library is
 * put where {@code mvn install} puts it, but into a repository of this test; all else comes from the repository of the build
 * that runs the test, as far as it is there, so that little is fetched and nothing is left behind.
 */
class LibraryIT {
    private static final String VERSION = System.getProperty("allocator.version", "");
    private static final Path ROOT = Path.of("..", "..");
    private static final int PATIENCE_SECONDS = 240;

    /** What the library brings to its users: jars whose names begin with one of these. No binding of SLF4J, nothing of tests. */
    private static final Pattern EXPECTED = Pattern.compile(
            "(allocator-core|allocator-zk|curator-client|curator-framework|zookeeper|zookeeper-jute|netty-[a-z0-9-]+"
                    + "|jackson-[a-z0-9-]+|guava|failureaccess|listenablefuture|jspecify|slf4j-api|commons-io"
                    + "|audience-annotations|jsr305|checker-qual|error_prone_annotations|j2objc-annotations)-[0-9].*");

    @TempDir
    private Path directory;

    private Path repository;
    private Path program;

    @BeforeEach
    void install() throws IOException {
        repository = directory.resolve("repository");
        program = directory.resolve("program");
        copyAll(Path.of("program"), program);
        linkAll(Path.of(System.getProperty("maven.repository", "")));
        install("id-allocator-parent", ROOT.resolve("pom.xml"), List.of());
        for (String module : List.of("allocator-core", "allocator-zk")) {
            Path home = ROOT.resolve(module);
            install(module, home.resolve("pom.xml"), jars(home.resolve("target"), module));
        }
    }

    /** Links to the artifacts of the repository of the build that runs this test; what is missing Maven gets as ever. */
    private void linkAll(Path original) throws IOException {
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.filter(LibraryIT::isOfOthers).toList()) {
                Path link = repository.resolve(original.relativize(file));
                Files.createDirectories(Objects.requireNonNull(link.getParent()));
                Files.createSymbolicLink(link, file.toAbsolutePath());
            }
        }
    }

    /** Not this project's own, and none of the files that Maven keeps beside artifacts and writes to. */
    private static boolean isOfOthers(Path file) {
        return Files.isRegularFile(file)
                && file.toString().matches(".*\\.(jar|pom)")
                && !file.toString().contains("/org/idallocator/");
    }

    private static List<Path> jars(Path target, String module) {
        return Stream.of(".jar", "-sources.jar", "-javadoc.jar")
                .map(suffix -> target.resolve(module + "-" + VERSION + suffix))
                .toList();
    }

    private void install(String artifact, Path pom, List<Path> jars) throws IOException {
        Path home = Files.createDirectories(
                repository.resolve("org/idallocator").resolve(artifact).resolve(VERSION));
        Files.copy(pom, home.resolve(artifact + "-" + VERSION + ".pom"));
        for (Path jar : jars) {
            Files.copy(jar, home.resolve(Objects.requireNonNull(jar.getFileName())));
        }
    }

    private static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @Test
    void shouldCompileAndDrawAnIdInAnotherBuild() throws IOException {
        build();

        assertEquals(
                List.of(),
                classPath().filter(jar -> !EXPECTED.matcher(jar).matches()).toList());
        try (ZooKeeperProcesses zookeeper = ZooKeeperProcesses.alone()) {
            FirstStart.withoutWaiting(
                    AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(zookeeper.connectString())));
            List<String> said =
                    run(List.of("-jar", program.resolve("target/program.jar").toString(), zookeeper.connectString()));
            Sno id = Sno.parse(said.get(said.size() - 1));
            System.out.println("a program outside of this build drew " + id + ", with "
                    + classPath().toList());
        }
    }

    private void build() throws IOException {
        Path output = directory.resolve("build.log");
        try (ChildProcess maven = ChildProcess.start(
                output,
                Map.of("JAVA_HOME", System.getProperty("java.home"), "MAVEN_OPTS", "-XX:TieredStopAtLevel=1"),
                List.of(
                        Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                        "-B",
                        "-ntp",
                        "-f",
                        program.resolve("pom.xml").toString(),
                        "-Dmaven.repo.local=" + repository,
                        "-Dallocator.version=" + VERSION,
                        "package"))) {
            assertEquals(0, maven.awaitEnd(PATIENCE_SECONDS), maven::tail);
        }
    }

    /** The program's own class path: the names of jars. */
    private Stream<String> classPath() throws IOException {
        try (JarFile jar = new JarFile(program.resolve("target/program.jar").toFile())) {
            String value = jar.getManifest().getMainAttributes().getValue("Class-Path");
            return Stream.of(value.split(" ")).map(path -> path.substring(path.lastIndexOf('/') + 1));
        }
    }

    private List<String> run(List<String> arguments) throws IOException {
        Path output = directory.resolve("program.log");
        try (ChildProcess java = ChildProcess.java(output, Map.of(), arguments)) {
            assertEquals(0, java.awaitEnd(PATIENCE_SECONDS), java::tail);
        }
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    /** Everything that others see of a class: its sources and its documentation. */
    @Test
    void shouldHaveSourcesAndDocumentation() throws IOException {
        assertHas("allocator-core", "-sources.jar", "org/idallocator/core/id/Sno.java");
        assertHas("allocator-core", "-javadoc.jar", "org/idallocator/core/id/Sno.html");
        assertHas("allocator-zk", "-sources.jar", "org/idallocator/zk/IdAllocator.java");
        assertHas("allocator-zk", "-javadoc.jar", "org/idallocator/zk/IdAllocator.html");
    }

    private void assertHas(String artifact, String suffix, String entry) throws IOException {
        Path home = repository.resolve("org/idallocator").resolve(artifact).resolve(VERSION);
        try (JarFile jar =
                new JarFile(home.resolve(artifact + "-" + VERSION + suffix).toFile())) {
            assertTrue(jar.getEntry(entry) != null, () -> entry + " is not in " + jar.getName());
        }
    }
}
