package org.idallocator.service.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code bin/id-allocator} calls, with a Java that only tells how it was called. */
@ProofOnly("processes of its own")
class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "bin", "id-allocator");
    private static final List<String> CLEARED = List.of("JAVA", "JAVA_OPTS", "ID_ALLOCATOR_ARCHIVE");

    /**
     * Prints its process and its arguments. Makes the archive that it is told to make, for the jar that is there,
     * unless a file beside it says otherwise: {@code forbidden}, or {@code cut} (short, and only {@code -Xshare:on}
     * shows that).
     */
    private static final String JAVA = """
            #!/bin/sh
            for each; do
                case $each in
                    -XX:ArchiveClassesAtExit=*) made=${each#*=} ;;
                    -XX:SharedArchiveFile=*) archive=${each#*=} ;;
                    -Xshare:on) loading=true ;;
                    *.jar) jar=$each ;;
                esac
            done
            if [ "${made-}" ]; then
                echo "$ID_ALLOCATOR_DATA" >>"${0%/*}/trainings"
                [ ! -e "${0%/*}/forbidden" ] || { echo "it is forbidden"; exit; }
                { echo archive; cat "$jar"; } >"$made"
                [ ! -e "${0%/*}/cut" ] || echo arc >"$made"
                exit
            fi
            if [ "${loading-}" ]; then
                { echo archive; cat "$jar"; } | cmp -s - "$archive"
                exit
            fi
            echo "process $$"
            for each; do printf '<%s>\\n' "$each"; done
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
        builder.environment().keySet().removeAll(CLEARED);
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
    void shouldBecomeJavaAndPassArgumentsAsTheyAreAndHoldAServerToNoShortLife() throws Exception {
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
        List<String> server = call("server", "my.yml").arguments();
        assertFalse(server.contains("-XX:TieredStopAtLevel=1"), server::toString);
        assertTrue(server.contains("-XX:+ExitOnOutOfMemoryError"), server::toString);
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
    void shouldFindTheJarThatMavenBuiltAndSayWhereItLookedWhenThereIsNone() throws Exception {
        Path target = Files.createDirectories(directory.resolve("a home/allocator-service/target"));
        Path jar = Files.move(home.resolve("allocator-service.jar"), target.resolve("allocator-service.jar"));
        assertTrue(call().arguments().contains(jar.toRealPath().toString()));

        Files.delete(jar);
        Call call = call("--help");
        assertEquals(1, call.status());
        String error = "id-allocator: there is no allocator-service.jar in " + home.toRealPath();
        assertTrue(call.error().startsWith(error), call.error());
    }

    /** Of two options that contradict each other, Java takes the last. */
    @Test
    void shouldLetJavaOptionsWin() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        environment.put("JAVA_OPTS", " -Xshare:off  /* -Da=?\t-XX:TieredStopAtLevel=4 ");

        List<String> arguments = call("--help").arguments();

        int jar = arguments.indexOf("-jar");
        assertEquals(
                List.of("-Xshare:off", "/*", "-Da=?", "-XX:TieredStopAtLevel=4"),
                arguments.subList(jar - 4, jar),
                "no pattern");
        assertTrue(
                arguments.subList(0, jar - 4).containsAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1")),
                arguments::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"b\\tc", "b\\cd", "b*c"})
    void shouldFindTheJarBelowADirectoryOfAnyName(String name) throws Exception {
        Path odd = Files.createDirectory(directory.resolve(name));
        Files.move(home.resolve("allocator-service.jar"), odd.resolve("allocator-service.jar"));
        launcher = Files.move(launcher, odd.resolve("id-allocator"));
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        Call call = call();

        assertEquals("", call.error());
        assertTrue(call.output().contains("<" + odd.toRealPath().resolve("allocator-service.jar") + ">"), call::output);
        assertTrue(call.output().contains("<-XX:SharedArchiveFile=" + odd.toRealPath()), call::output);
    }

    @Test
    void shouldNameTheJavaThatIsNotThereAndTakeTheOneThatIsNamed() throws Exception {
        environment.put("JAVA_HOME", "/nowhere");

        Call call = call();
        environment.put("JAVA", java.toString());

        assertEquals(7, call().status());

        assertEquals(1, call.status());
        assertEquals(
                "id-allocator: there is no /nowhere/bin/java, which JAVA or JAVA_HOME names; name a Java 17 or newer\n",
                call.error());
    }

    @Test
    void shouldTellToSetJavaHomeWhenNoJavaIsOnThePath() throws Exception {
        Path tools = Files.createDirectory(directory.resolve("tools"));
        for (String tool : List.of("dirname", "readlink")) {
            Files.createSymbolicLink(tools.resolve(tool), onThePath(tool));
        }
        environment.put("PATH", tools.toString());
        environment.put("JAVA_HOME", "");

        Call call = call();

        assertEquals(1, call.status());
        assertEquals(
                "id-allocator: no java on the PATH; set JAVA_HOME to the directory of a Java 17 or newer\n",
                call.error());
    }

    private static Path onThePath(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(each -> Path.of(each, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldUseTheArchiveThatItMade() throws Exception {
        assertEquals(List.of(), call().archives(), "none is made unless that is asked for");
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        Call first = call();
        Call again = call();
        environment.remove("ID_ALLOCATOR_ARCHIVE");

        String archive = "-XX:SharedArchiveFile=" + home.toRealPath().resolve(made().get(0));
        assertEquals(1, made().size(), made()::toString);
        assertEquals(List.of(archive), first.archives());
        assertEquals(List.of(archive), again.archives());
        assertEquals(List.of(archive), call().archives());
        assertEquals(List.of(archive), call("server").archives());
        assertEquals(1, trainings().size());
        assertTrue(trainings().get(0).startsWith(home.toRealPath().toString()), "away from the user's data");
    }

    /** Another Java does not take the archive either. */
    @ParameterizedTest
    @ValueSource(strings = {"another jar", "JAR"}) // the second has the size of the first
    void shouldMakeAnotherArchiveForAnotherJar(String content) throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        call();
        Files.writeString(home.resolve("allocator-service.jar"), content);

        assertEquals(1, call().archives().size());
        assertEquals(2, trainings().size());
        assertEquals(1, made().size(), made()::toString);
        assertEquals("archive\n" + content, Files.readString(home.resolve(made().get(0))));
    }

    @Test
    void shouldSayWhyAndDoWithoutWhenNoArchiveCanBeMade() throws Exception {
        Files.createFile(java.resolveSibling("forbidden"));
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        Call call = call();

        assertEquals(7, call.status());
        assertEquals(List.of(), call.archives());
        assertEquals("id-allocator: there is no archive; Java said:\nit is forbidden\n", call.error());
        assertEquals(List.of(), made());

        Files.delete(java.resolveSibling("forbidden"));
        call();
        List<String> old = made();
        assertEquals(1, old.size());
        Files.createFile(java.resolveSibling("forbidden"));
        Files.writeString(home.resolve("allocator-service.jar"), "another jar");
        assertEquals(7, call().status());
        assertEquals(old, made(), "it may be that of another Java, which somebody else uses");
    }

    /** Java aborts on an archive that was cut short, whatever its options. */
    @ParameterizedTest
    @ValueSource(strings = {"", "arc", "archive\njarjar"})
    void shouldNeverUseAnArchiveOfAnotherSizeAndMakeItAgainWhenAsked(String content) throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        call();
        Files.writeString(home.resolve(made().get(0)), content);

        environment.remove("ID_ALLOCATOR_ARCHIVE");
        assertEquals(List.of(), call().archives());
        assertEquals("", call().error());
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        assertEquals(1, call().archives().size());
        assertEquals("archive\njar", Files.readString(home.resolve(made().get(0))));
        assertEquals(2, trainings().size());
    }

    @Test
    void shouldKeepNoArchiveThatJavaDoesNotTake() throws Exception {
        Files.createFile(java.resolveSibling("cut"));
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        assertEquals(List.of(), call().archives());
        assertEquals(List.of(), made());
    }

    @Test
    void shouldMakeArchivesForManyCallsAtOnceWithoutHarm() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        callAs("/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do '" + launcher + "' & done; wait");

        assertEquals(1, made().size(), made()::toString);
        assertEquals(1, call().archives().size());
    }
}
