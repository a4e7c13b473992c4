package org.idallocator.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.idallocator.service.testing.ConfigFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands as processes of their own, with the system's pipes and statuses. */
@Timeout(value = CommandProcessesTest.HANG_GUARD_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandProcessesTest {
    private static final Path FULL = Path.of("/dev/full");
    static final long HANG_GUARD_SECONDS = 120;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Optional<Process> process = Optional.empty();

    static boolean full() {
        return Files.exists(FULL);
    }

    /** Starts a command with pipes, except for standard error, which is the file {@code error}. */
    private Process start(Optional<Path> output, String command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AllocatorApplication.class.getName()));
        words.addAll(List.of(command.split(" ", -1)));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(directory.toFile()).redirectError(error());
        output.map(Path::toFile).ifPresent(builder::redirectOutput);
        Process started = builder.start();
        process = Optional.of(started);
        return started;
    }

    private File error() {
        return directory.resolve("error").toFile();
    }

    private String said() throws IOException {
        return Files.readString(error().toPath());
    }

    private static int status(Process process) throws InterruptedException {
        assertTrue(process.waitFor(HANG_GUARD_SECONDS, TimeUnit.SECONDS), "it goes on");
        return process.exitValue();
    }

    @AfterEach
    void kill() {
        process.ifPresent(Process::destroyForcibly);
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** By then a client of ZooKeeper runs, which must not keep the process from ending. */
    @Test
    void shouldSayWhichPortIsTakenAndEnd() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Files.writeString(directory.resolve("config.yml"), """
                    allocator: {schemes: {gid: {}}, zookeeper: {connect: '127.0.0.1:1'}}
                    server: {applicationConnectors: [{type: http, port: %d}], adminConnectors: [{type: http, port: 0}]}
                    logging: {level: 'OFF'}
                    """.formatted(taken.getLocalPort()));
            Process server = start(Optional.empty(), "server config.yml");

            assertEquals(1, status(server));
            assertEquals("Failed to bind to 0.0.0.0/0.0.0.0:" + taken.getLocalPort() + "\n", said());
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
    void shouldGiveTheSlotBackWhenToldToEnd() throws Exception {
        Path config = ConfigFile.in(directory);
        Process generate = start(Optional.empty(), "generate eightbyte -n 10000000 -c " + config);
        try (BufferedReader reader = reader(generate)) {
            assertEquals(16, reader.readLine().length());
            generate.destroy();
            status(generate);
        }

        String list = CommandLine.run("leases", "list", "-c", config.toString()).output();
        assertTrue(list.matches("(?s).*\neightbyte +[0-9]{2} +free .*"), list);
    }

    @Test
    @EnabledIf("full")
    void shouldFailWhenTheDiskIsFull() throws Exception {
        Process generate = start(Optional.of(FULL), "generate gid -n 100");

        assertEquals(1, status(generate));
        assertTrue(said().startsWith("standard output takes no more: "), said());
    }

    @ParameterizedTest
    @CsvSource({"generate gid, 0", "generate nope, 1", "inspect 9q7qmwq2222dhi22, 0", "inspect 9q7qmwq2222dhi22 zzz, 1"
    })
    void shouldEndWithTheStatus(String command, int status) throws Exception {
        Process ended = start(Optional.of(directory.resolve("output")), command);

        assertEquals(status, status(ended));
        assertEquals(status, said().lines().count());
    }
}
