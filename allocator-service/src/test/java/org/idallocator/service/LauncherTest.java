package org.idallocator.service;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code bin/id-allocator} calls, with a Java that only tells how it was called. */
class LauncherTest {
    private static final Path LAUNCHER = Path.of("..", "bin", "id-allocator");
    private static final long NO_PROCESS = 4194305; // more than the system gives
    private static final List<String> CLEARED = List.of("JAVA", "JAVA_OPTS", "XDG_CACHE_HOME");
    private static final Duration HANG_GUARD = Duration.ofSeconds(90);

    /**
     * Prints its process and its arguments. Makes the archive that it is told to make, unless a file beside it says otherwise:
     * {@code forbidden}, {@code cut} (short, and only {@code -Xshare:on} shows that), {@code lost} (with the directory it was for).
     */
    private static final String JAVA = """
            #!/bin/sh
            for each; do
                case $each in
                    -XX:ArchiveClassesAtExit=*)
                        echo "$ID_ALLOCATOR_DATA" >>"${0%/*}/trainings"
                        nice >"${0%/*}/niceness"
                        archive=${each#*=}
                        [ -e "${0%/*}/forbidden" ] || echo archive >"$archive"
                        [ ! -e "${0%/*}/cut" ] || echo arc >"$archive"
                        [ ! -e "${0%/*}/lost" ] || rm -r "${archive%/*}"
                        exit ;;
                    -Xshare:on) loading=true ;;
                    -XX:SharedArchiveFile=*) archive=${each#*=} ;;
                esac
            done
            [ "${loading-}" ] && exec grep -q archive "$archive"
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

    private void awaitArchive() {
        await().atMost(HANG_GUARD)
                .until(() -> made().stream().allMatch(each -> each.endsWith(".jsa")) && !made().isEmpty());
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

        assertEquals(7, call().status());
    }

    /** Of two options that contradict each other, Java takes the last. */
    @Test
    void shouldLetJavaOptionsWin() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        environment.put("JAVA_OPTS", " -Xshare:off  -Da=b\t-XX:TieredStopAtLevel=4 ");

        List<String> arguments = call("--help").arguments();

        int jar = arguments.indexOf("-jar");
        assertEquals(List.of("-Xshare:off", "-Da=b", "-XX:TieredStopAtLevel=4"), arguments.subList(jar - 3, jar));
        assertTrue(
                arguments.subList(0, jar - 3).containsAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1")),
                arguments::toString);
    }

    @Test
    void shouldTakeJavaOptionsForNoPattern() throws Exception {
        environment.put("JAVA_OPTS", "/* -Da=?");

        assertTrue(call().arguments().containsAll(List.of("/*", "-Da=?")));
    }

    /** Java may wait for the archive's maker no more than for any process that it did not start. */
    @Test
    void shouldLeaveJavaNoChild() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "auto");
        script(java, JAVA.replace("exit 7", "read -r line; exit 7"));
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "server");
        builder.environment().keySet().removeAll(CLEARED);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (BufferedReader output = process.inputReader()) {
            assertEquals("process " + process.pid(), output.readLine());
            assertEquals(List.of(), process.children().toList());
            process.getOutputStream().close();
            output.lines().forEach(line -> {}); // to its end: who writes to nobody is ended
            assertEquals(7, process.waitFor());
        } finally {
            process.destroy();
        }
        awaitArchive();
    }

    /** Who asks for the archive now waits for it. */
    @ParameterizedTest
    @CsvSource({"now,0", "auto,10"})
    void shouldMakeTheArchiveBehindOtherWorkOnlyWhereNobodyWaits(String when, int added) throws Exception {
        Process own = new ProcessBuilder("nice").start();
        int usual = Integer.parseInt(own.inputReader().readLine());
        environment.put("ID_ALLOCATOR_ARCHIVE", when);

        call();
        awaitArchive();

        int niceness = Integer.parseInt(
                Files.readString(java.resolveSibling("niceness")).strip());
        assertEquals(Math.min(19, usual + added), niceness);
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
        awaitArchive();
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

    /** Java aborts on an archive that was cut short, whatever its options. */
    @ParameterizedTest
    @ValueSource(strings = {"", "arc", "archivE\n", "archive\narchive\n"})
    void shouldMakeADamagedArchiveAgainAndNeverUseIt(String content) throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        call();
        Path archive = home.resolve(made().get(0));
        Files.writeString(archive, content);

        environment.put("ID_ALLOCATOR_ARCHIVE", "auto");
        assertEquals(List.of(), call().archives());
        await().atMost(HANG_GUARD).until(() -> trainings().size() == 2);
        awaitArchive();

        assertEquals(1, call().archives().size());
        assertEquals("archive\n", Files.readString(archive));
        assertEquals(2, trainings().size());
    }

    @Test
    void shouldKeepNoArchiveThatJavaDoesNotTake() throws Exception {
        Files.createFile(java.resolveSibling("cut"));
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        assertEquals(List.of(), call().archives());
        assertTrue(made().get(0).endsWith(".failed"), made()::toString);
        assertEquals(1, made().size());
    }

    @Test
    void shouldMakeOneArchiveForManyCallsAtOnce() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");

        callAs("/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do '" + launcher + "' & done; wait");

        assertEquals(1, trainings().size());
        assertEquals(1, made().size(), made()::toString);
        assertEquals(1, call().archives().size());
    }

    @Test
    void shouldKeepTheOldArchiveWhenTheNewOneIsLost() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        call();
        List<String> old = made();
        Files.createFile(java.resolveSibling("lost"));
        Files.writeString(home.resolve("allocator-service.jar"), "another jar");

        assertEquals(List.of(), call().archives());
        assertEquals(old, made());
        assertEquals(2, trainings().size());
    }

    @Test
    void shouldLeaveTheArchiveToTheMakerThatIsAtIt() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        Path lock = lockFor(ProcessHandle.current().pid());

        assertEquals(List.of(), call().archives());
        assertEquals(0, trainings().size());
        assertTrue(Files.isSymbolicLink(lock));
    }

    @Test
    void shouldTakeOverFromAMakerThatWasKilled() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        Path lock = lockFor(NO_PROCESS);
        Files.createFile(
                Files.createDirectory(home.resolve(lock.getFileName().toString().replace("lock", "making.abc")))
                        .resolve("jsa"));

        assertEquals(1, call().archives().size());
        assertEquals(1, made().size(), made()::toString);
    }

    /** The number of a maker that was killed may be given again. */
    @Test
    void shouldTakeOverFromAMakerOfLongAgo() throws Exception {
        environment.put("ID_ALLOCATOR_ARCHIVE", "now");
        Path lock = lockFor(ProcessHandle.current().pid());
        callAs("touch", "-h", "-d", "11 minutes ago", lock.toString());

        assertEquals(1, call().archives().size());
        assertEquals(1, made().size(), made()::toString);
    }

    /** The lock of a maker, where there is no archive. */
    private Path lockFor(long process) throws Exception {
        call();
        String archive = made().get(0);
        Files.delete(home.resolve(archive));
        Files.delete(java.resolveSibling("trainings"));
        String family = archive.replaceFirst("^(allocator-service-[0-9]+)-.*", "$1");
        return Files.createSymbolicLink(home.resolve("." + family + ".lock"), Path.of("process " + process));
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
