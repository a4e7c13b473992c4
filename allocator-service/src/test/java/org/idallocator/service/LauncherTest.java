package org.idallocator.service;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code bin/id-allocator} calls, with a Java that only tells how it was called. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "bin", "id-allocator");
    private static final Duration HANG_GUARD = Duration.ofSeconds(90);

    /** Prints its process and its arguments; makes the archive that it is told to make, unless there is a file that forbids that. */
    private static final String JAVA = """
            #!/bin/sh
            for each; do
                case $each in
                    -XX:ArchiveClassesAtExit=*)
                        echo "$ID_ALLOCATOR_DATA" >>"${0%/*}/trainings"
                        [ -e "${0%/*}/forbidden" ] || echo archive >"${each#*=}"
                        exit ;;
                esac
            done
            echo "process $$"
            for each; do echo "<$each>"; done
            exit 7
            """;

    @TempDir
    private Path directory;

    private final Map<String, String> environment = new TreeMap<>();
    private Path home;
    private Path launcher;
    private Path java;

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectories(directory.resolve("a home").resolve("bin"));
        launcher = Files.copy(LAUNCHER, home.resolve("id-allocator"));
        Files.writeString(home.resolve("allocator-service.jar"), "jar");
        java = Files.createDirectories(directory.resolve("a jdk").resolve("bin"))
                .resolve("java");
        script(java, JAVA);
        environment.put("JAVA_HOME", directory.resolve("a jdk").toString());
        environment.put("HOME", directory.toString());
        environment.put("ID_ALLOCATOR_ARCHIVE", "off");
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private record Call(long pid, int status, String output, String error) {
        List<String> arguments() {
            return output.lines()
                    .filter(line -> line.startsWith("<"))
                    .map(line -> line.substring(1, line.length() - 1))
                    .toList();
        }

        List<String> archives() {
            return arguments().stream()
                    .filter(each -> each.startsWith("-XX:SharedArchiveFile="))
                    .toList();
        }
    }

    private Call call(String... arguments) throws Exception {
        return callAs(launcher.toString(), arguments);
    }

    private Call callAs(String name, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(name));
        command.addAll(List.of(arguments));
        Path error = directory.resolve("error");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(error.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA", "JAVA_OPTS", "XDG_CACHE_HOME"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        return new Call(process.pid(), status, output, Files.readString(error));
    }

    private List<String> made() throws IOException {
        try (Stream<Path> files = Files.list(home)) {
            return files.map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .filter(name -> !name.equals("id-allocator") && !name.equals("allocator-service.jar"))
                    .toList();
        }
    }

    private List<String> trainings() throws IOException {
        Path log = java.resolveSibling("trainings");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    @Test
    void shouldBecomeJavaAndPassArgumentsAsTheyAre() throws Exception {
        Call call = call("inspect", "two words", "", "a'b\"c$HOME*", "-");

        assertEquals("process " + call.pid(), call.output().lines().findFirst().orElseThrow());
        assertEquals(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        home.toRealPath().resolve("allocator-service.jar").toString(),
                        "inspect",
                        "two words",
                        "",
                        "a'b\"c$HOME*",
                        "-"),
                call.arguments());
        assertEquals(7, call.status());
        assertEquals("", call.error());
    }

    @Test
    void shouldHoldAServerToNoShortLife() throws Exception {
        Call call = call("server", "my.yml");

        assertFalse(call.arguments().contains("-XX:TieredStopAtLevel=1"), call::output);
        assertTrue(call.arguments().contains("-XX:+ExitOnOutOfMemoryError"), call::output);
    }

    @Test
    void shouldFindTheJarThroughLinks() throws Exception {
        Path first = Files.createSymbolicLink(directory.resolve("first"), Path.of("a home", "bin", "id-allocator"));
        Path second = Files.createSymbolicLink(directory.resolve("second"), first);

        assertEquals(7, callAs(second.toString()).status());
        environment.put("PATH", directory + ":" + System.getenv("PATH"));
        assertEquals(7, callAs("/bin/sh", "-c", "second --help").status());
    }

    @Test
    void shouldFindTheJarThatMavenBuilt() throws Exception {
        Path target = Files.createDirectories(directory.resolve("a home/allocator-service/target"));
        Path jar = Files.move(home.resolve("allocator-service.jar"), target.resolve("allocator-service.jar"));

        assertTrue(call().arguments().contains(jar.toRealPath().toString()));
    }

    @Test
    void shouldSayWhereItLookedWhenThereIsNoJar() throws Exception {
        Files.delete(home.resolve("allocator-service.jar"));

        Call call = call("--help");

        assertEquals(1, call.status());
        assertTrue(
                call.error().startsWith("id-allocator: there is no allocator-service.jar in " + home.toRealPath()),
                call.error());
    }

    @Test
    void shouldTakeTheJavaThatIsNamed() throws Exception {
        environment.put("JAVA", java.toString());
        environment.put("JAVA_HOME", "/nowhere");
        environment.put("JAVA_OPTS", "-Xmx1g -Da=b");

        assertEquals(List.of("-Xmx1g", "-Da=b"), call().arguments().subList(0, 2));
    }

    @Test
    void shouldNameTheJavaThatIsNotThere() throws Exception {
        environment.put("JAVA_HOME", "/nowhere");

        Call call = call();

        assertEquals(1, call.status());
        assertEquals(
                "id-allocator: there is no Java at /nowhere/bin/java; JAVA or JAVA_HOME may name one of version 17 or newer\n",
                call.error());
    }

    @Test
    void shouldUseTheArchiveThatItMade() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        Call first = call();
        environment.put("ID_ALLOCATOR_ARCHIVE", "auto");
        Call second = call();

        assertEquals(1, made().size(), () -> first.output());
        String archive = "-XX:SharedArchiveFile=" + home.toRealPath().resolve(made().get(0));
        assertEquals(List.of(archive), first.archives());
        assertEquals(List.of(archive), second.archives());
        assertEquals(List.of(archive), call("server").archives());
        assertEquals(1, trainings().size());
        assertTrue(trainings().get(0).startsWith(home.toRealPath().toString()), "away from the user's data");
    }

    @Test
    void shouldMakeTheArchiveBesideTheCommand() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "auto");

        assertEquals(List.of(), call().archives());
        await().atMost(HANG_GUARD)
                .until(() -> made().stream().allMatch(each -> each.endsWith(".jsa")) && !made().isEmpty());
        assertEquals(1, call().archives().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"another jar", "JAR"}) // the second has the size of the first
    void shouldMakeAnotherArchiveForAnotherJar(String content) throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        call();
        String old = made().get(0);
        Path jar = Files.writeString(home.resolve("allocator-service.jar"), content);
        Files.setLastModifiedTime(
                jar,
                FileTime.fromMillis(Files.getLastModifiedTime(home.resolve(old)).toMillis() + 10));

        call();

        assertEquals(2, trainings().size());
        assertEquals(1, made().size(), () -> "the old one is removed: " + old);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldMakeOneArchiveForAJarOfTheFuture(boolean possible) throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        if (!possible) {
            Files.createFile(java.resolveSibling("forbidden"));
        }
        Files.setLastModifiedTime(
                home.resolve("allocator-service.jar"),
                FileTime.from(Instant.now().plus(Duration.ofDays(1))));

        call();
        call();

        assertEquals(1, trainings().size());
    }

    @Test
    void shouldDoWithoutWhenNoArchiveCanBeMadeAndTryOnce() throws Exception {
        Files.createFile(java.resolveSibling("forbidden"));
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        assertEquals(7, call().status());
        assertEquals(List.of(), call().archives());
        assertEquals(1, trainings().size());
        assertEquals(
                List.of(true),
                made().stream().map(name -> name.endsWith(".failed")).toList());
    }

    /** The process of this number has ended: the system gives none so large. */
    @Test
    void shouldTakeOverFromAMakerThatWasKilled() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        call();
        String archive = made().get(0);
        Path making =
                Files.createDirectory(home.resolve("." + archive.substring(0, archive.lastIndexOf('-')) + ".making"));
        Files.writeString(making.resolve("pid"), "4194305\n");
        Files.delete(home.resolve(archive));

        assertEquals(1, call().archives().size());
        assertEquals(List.of(archive), made());
    }

    @Test
    void shouldUseACacheWhereTheJarsDirectoryIsNotForUs() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        environment.put("XDG_CACHE_HOME", directory.resolve("a cache").toString());
        call();
        Path cached = Files.createDirectories(directory.resolve("a cache").resolve("id-allocator"));
        Files.move(home.resolve(made().get(0)), cached.resolve(made().get(0)));

        List<String> archives = call().archives();

        assertTrue(archives.stream().allMatch(each -> each.contains("/a cache/id-allocator/")), archives::toString);
        assertEquals(1, archives.size());
        assertEquals(1, trainings().size());
    }

    @Test
    void shouldRefuseAWordThatItDoesNotKnow() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "yes");

        Call call = call();

        assertEquals(1, call.status());
        assertEquals("id-allocator: ID_ALLOCATOR_ARCHIVE must be auto, now or off: yes\n", call.error());
        assertEquals("", call.output().lines().collect(Collectors.joining()));
    }
}
