package org.idallocator.service.commands;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.CommandLine;
import org.idallocator.service.testing.BusyMachine;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands as processes of their own, with the system's pipes and statuses. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ProofOnly("processes of their own; CommandsTest and HelpTest have the words")
class CommandProcessesTest {
    private static final int NEARLY_A_PIPE = 60_000;

    /**
     * Begins a command that hears of SIGINT, also where a script in the background has a build ignore it. Only
     * coreutils have this.
     */
    private static final List<String> INTERRUPTIBLY = interruptibly();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Optional<Process> process = Optional.empty();
    private Map<String, String> environment = Map.of();
    private Optional<Path> home = Optional.empty();

    /** Starts a command with pipes, except for standard error, which is the file {@code error}. */
    private Process start(Optional<Path> output, String command) throws IOException {
        return start(output, command.split(" ", -1));
    }

    private Process start(Optional<Path> output, String... command) throws IOException {
        List<String> words = new ArrayList<>(INTERRUPTIBLY);
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        home.ifPresent(path -> words.add("-Duser.home=" + path));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), AllocatorApplication.class.getName()));
        words.addAll(List.of(command));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(directory.toFile()).redirectError(error());
        home.ifPresent(path -> builder.environment().keySet().remove("ID_ALLOCATOR_DATA"));
        builder.environment().putAll(environment);
        output.map(Path::toFile).ifPresent(builder::redirectOutput);
        Process started = builder.start();
        process = Optional.of(started);
        return started;
    }

    private static List<String> interruptibly() {
        List<String> words = List.of("env", "--default-signal=INT");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(words.stream(), Stream.of("true")).toList())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            return builder.start().waitFor() == 0 ? words : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String data() {
        return directory.resolve("own-data").toString();
    }

    private File error() {
        return directory.resolve("error").toFile();
    }

    private String said() throws IOException {
        return Files.readString(error().toPath());
    }

    private static int status(Process process) throws InterruptedException {
        assertTrue(process.waitFor(HangGuard.MINUTES, TimeUnit.MINUTES), "it goes on");
        return process.exitValue();
    }

    @AfterEach
    void kill() throws InterruptedException {
        if (process.isPresent()) {
            process.get().destroyForcibly().waitFor();
        }
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** A password may have anything in it. */
    @Test
    void shouldTakeWhatAVariableSaysAsItIs() throws Exception {
        environment = Map.of("SAID", "a${NOPE_NOPE}");
        Files.writeString(directory.resolve("config.yml"), "allocator: {instance: '${SAID}'}\n");
        Process check = start(Optional.empty(), "check config.yml");

        assertEquals(1, status(check));
        assertEquals("config.yml: allocator.instance must be 1..100 of [A-Za-z0-9._-]: a${NOPE_NOPE}\n", said());
    }

    /** With logging as it is by default, on an embedded ZooKeeper. */
    @ParameterizedTest
    @CsvSource({"PORT, ADMIN_PORT, 0.0.0.0/0.0.0.0", "ADMIN_PORT, PORT, /127.0.0.1"})
    void shouldTellOfATakenPortInOneLineWithoutAStackTrace(String variable, String other, String address)
            throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            environment =
                    Map.of(variable, Integer.toString(taken.getLocalPort()), other, "0", "ID_ALLOCATOR_DATA", data());
            Path output = directory.resolve("output");
            Process server = start(Optional.of(output), "server");

            assertEquals(1, status(server));
            assertEquals(
                    "Failed to bind to " + address + ":" + taken.getLocalPort() + ": Address already in use\n", said());
            String log = Files.readString(output);
            assertTrue(log.contains("starting with (built-in standalone.yml)\n"), "the first line comes early: " + log);
            assertFalse(log.contains("Exception"), log);
            assertFalse(log.contains("\tat "), log);
        }
    }

    @Test
    void shouldSayWhichZooKeeperItWaitsFor() throws Exception {
        Files.writeString(
                directory.resolve("config.yml"),
                "allocator: {zookeeper: {connect: '127.0.0.1:1', root: /own}}\nlogging: {level: 'OFF'}\n");
        Process generate = start(Optional.empty(), "generate sno -n 5 -c config.yml");
        // on a busy machine, another line may come before
        await().until(() -> said().contains("waiting for ZooKeeper 127.0.0.1:1, root /own, to give a slot of sno\n"));
        generate.destroy();

        assertEquals(143, status(generate));
        List<String> lines = said().lines().toList();
        assertEquals("told to end (0 of 5 IDs were printed)", lines.get(lines.size() - 1));
    }

    @ParameterizedTest
    @CsvSource({"INT, 130, eightbyte", "TERM, 143, eightbyte", "TERM, 143, gid"})
    void shouldSayHowManyIdsWerePrintedAndGiveTheSlotBackWhenSomebodyEndsIt(String signal, int status, String scheme)
            throws Exception {
        Path config = ConfigFile.in(directory);
        Path output = directory.resolve("output");
        Process generate = start(Optional.of(output), "generate " + scheme + " -n 10000000 -c " + config);
        await().until(() -> Files.size(output) > 0);
        new ProcessBuilder("kill", "-" + signal, Long.toString(generate.pid()))
                .start()
                .waitFor();

        assertEquals(status, status(generate));
        long printed;
        try (Stream<String> lines = Files.lines(output)) {
            printed = lines.count();
        }
        String[] told = BusyMachine.forgiven(said()).split("\n", -1);
        assertEquals(2, told.length, said());
        assertEquals("told to end (" + printed + " of 10000000 IDs were printed)", told[0]);
        try (ZooKeeperInUse service = ConfigFile.start(config)) {
            String list =
                    CommandLine.run("leases", "list", "-c", config.toString()).output();
            assertEquals(
                    !scheme.equals("gid"),
                    list.matches("(?s).*\neightbyte +[0-9]{2} +free .*"),
                    service.description() + list);
        }
    }

    /** As where a network begins to drop packets: there is a connection, and no answer. */
    @Test
    void shouldEndWithoutAReleaseWhenZooKeeperIsSilent() throws Exception {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(directory.resolve("data"));
                TcpProxy line = TcpProxy.to(zookeeper.connect(), Duration.ZERO)) {
            FirstStart.withoutWaiting(AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(zookeeper.connect())));
            Files.writeString(
                    directory.resolve("config.yml"),
                    "allocator: {zookeeper: {connect: '" + line.address() + "'}}\nlogging: {level: 'OFF'}\n");
            Path output = directory.resolve("output");
            Process generate = start(Optional.of(output), "generate uid60 -n 100000 -c config.yml");
            await().until(() -> Files.size(output) > 0);
            line.blackhole();
            generate.destroy();

            assertEquals(143, status(generate));
            List<String> lines = said().lines().toList();
            assertTrue(
                    lines.get(lines.size() - 2)
                            .matches("ZooKeeper does not answer: slot [0-9]{3} of uid60 is not released, and is free"
                                    + " again when the session has ended"),
                    said());
            assertTrue(
                    lines.get(lines.size() - 1).matches("told to end \\([0-9]+ of 100000 IDs were printed\\)"), said());
        }
    }

    /** The reader has stopped reading, and has not gone. */
    @Test
    void shouldEndAlsoWhenItIsStuckInPrinting() throws Exception {
        Process generate = start(Optional.empty(), "generate gid -n 10000000");
        try (InputStream output = generate.getInputStream()) {
            byte[] first = output.readNBytes(25);
            assertEquals('\n', first[24]);
            await().until(() -> output.available() > NEARLY_A_PIPE);
            generate.toHandle().destroy(); // the process's own method would close the pipe
            assertEquals(143, status(generate));

            long printed = 1
                    + new String(output.readAllBytes(), UTF_8)
                            .chars()
                            .filter(each -> each == '\n')
                            .count();
            Matcher told = Pattern.compile("told to end \\(([0-9]+) of 10000000 IDs were printed\\)\n")
                    .matcher(said());
            assertTrue(told.matches(), said());
            long tally = Long.parseLong(told.group(1));
            assertTrue(tally <= printed && printed - tally <= 1_024, tally + " were counted of " + printed);
        }
    }

    /** To print all IDs would take minutes. */
    @Test
    void shouldEndQuietlyWhenNobodyReadsMoreIds() throws Exception {
        Process generate = start(Optional.empty(), "generate gid -n 100000000");
        try (BufferedReader reader = reader(generate)) {
            assertEquals(24, reader.readLine().length());
        }
        assertEquals(0, status(generate));
        assertEquals("", said());
    }

    /** The answer to the first line can be read before there is a second one. */
    @Test
    void shouldAnswerEachLineAndEndQuietlyWhenNobodyReadsMore() throws Exception {
        Process inspect = start(Optional.empty(), "inspect - --json");
        OutputStream lines = inspect.getOutputStream();
        try (BufferedReader reader = reader(inspect)) {
            for (String id : List.of("9q7qmwq2222dhi22", "2222222222222222")) {
                lines.write((id + "\n").getBytes(UTF_8));
                lines.flush();
                assertTrue(reader.readLine().startsWith("{\"input\":\"" + id + "\""));
            }
        }
        lines.write("9q7qmwq2222dhi22\n".getBytes(UTF_8));
        lines.flush();

        assertEquals(0, status(inspect));
        assertEquals("", said());
    }

    @Test
    void shouldKeepTheDataInTheHomeDirectoryOfTheUserByDefault() throws Exception {
        Path own = Files.createDirectory(directory.resolve("home"));
        home = Optional.of(own);
        Path output = directory.resolve("output");
        Process generate = start(Optional.of(output), "generate uid60 -n 3");

        assertEquals(0, status(generate), said());
        assertEquals(3, Files.readAllLines(output).size());
        assertTrue(Files.exists(own.resolve(".id-allocator/zookeeper/identity.json")));
        try (Stream<Path> made = Files.list(directory)) {
            assertEquals(
                    Set.of("home", "output", "error"),
                    made.map(path -> path.getFileName().toString()).collect(Collectors.toSet()),
                    "nothing is made where the command was started");
        }
    }

    @Test
    void shouldPrintHelpAndStartNothingWithoutArguments() throws Exception {
        environment = Map.of("ID_ALLOCATOR_DATA", data());
        Path output = directory.resolve("output");

        assertEquals(0, status(start(Optional.of(output))));
        assertEquals("", said());
        assertTrue(Files.readString(output).startsWith("usage: java -jar "));
        assertFalse(Files.exists(Path.of(data())));
        assertEquals(2, status(start(Optional.of(output), "generate sno -n 0")), "a misuse has a status of its own");
    }
}
