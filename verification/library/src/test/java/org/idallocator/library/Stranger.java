package org.idallocator.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ChildProcess;

/**
 * A project that somebody else wrote: its Maven knows nothing of this build but what is in a repository.
 *
 * @param home its directory, which may be written to
 * @param name what its jar is called
 */
record Stranger(Path home, String name) {
    /** A copy of a project beside this module's sources, in a directory that does not exist yet. */
    static Stranger copyOf(String name, Path home) throws IOException {
        Path original = Path.of(name);
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.toList()) {
                Files.copy(file, home.resolve(original.relativize(file).toString()));
            }
        }
        return new Stranger(home, name);
    }

    /** Adds a source file of package {@code com.example}. */
    void add(String className, String source) throws IOException {
        Path file = home.resolve("src/main/java/com/example/" + className + ".java");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, source);
    }

    /** Compiles and packages; fails with what Maven says when that fails. */
    void build(LocalRepository repository) {
        build(repository, "-Dmaven.test.skip"); // there are none, but Maven would look
    }

    /** The same for a project with tests of its own, which must pass. */
    void buildAndTest(LocalRepository repository) {
        build(repository, "-DfailIfNoTests");
    }

    private void build(LocalRepository repository, String tests) {
        Path output = home.resolve("build.log");
        try (ChildProcess maven = ChildProcess.start(
                output,
                Map.of("JAVA_HOME", System.getProperty("java.home"), "MAVEN_OPTS", "-XX:TieredStopAtLevel=1"),
                List.of(
                        Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                        "-B",
                        "-ntp",
                        "-f",
                        home.resolve("pom.xml").toString(),
                        "-Dmaven.repo.local=" + repository.home(),
                        tests,
                        "package"))) {
            assertEquals(0, maven.awaitEnd(HangGuard.TIME.toSeconds()), maven::tail);
        }
    }

    private Path jar() {
        return home.resolve("target").resolve(name + ".jar");
    }

    /** The class path that its jar names: the names of jars. */
    List<String> classPath() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            String value = jar.getManifest().getMainAttributes().getValue("Class-Path");
            return Stream.of(value.split(" "))
                    .map(path -> path.substring(path.lastIndexOf('/') + 1))
                    .toList();
        }
    }

    /** Starts one of its classes; what it prints is added to {@code output}. */
    ChildProcess start(String className, Path output, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("-cp", jar().toString(), "com.example." + className));
        command.addAll(arguments);
        return ChildProcess.java(output, Map.of(), command);
    }

    /** Runs one of its classes to its end, which must be in order; returns what it printed. */
    List<String> run(String className, String... arguments) throws IOException {
        Path output = home.resolve(className + ".log");
        try (ChildProcess java = start(className, output, List.of(arguments))) {
            assertEquals(0, java.awaitEnd(HangGuard.TIME.toSeconds()), java::tail);
        }
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }
}
