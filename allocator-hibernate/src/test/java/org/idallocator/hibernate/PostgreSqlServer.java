package org.idallocator.hibernate;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.Ports;

/**
 * A PostgreSQL of this test, on a port of this machine alone, with all that it has in a directory that goes at the end.
 * Its programs are those on the path, or Debian's. It does not run as root: where the test does, it runs as nobody.
 */
final class PostgreSqlServer implements AutoCloseable {
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final String NOBODY = "nobody";

    private final Path home;
    private final String url;
    private final ChildProcess process;

    private PostgreSqlServer(Path home, String url, ChildProcess process) {
        this.home = home;
        this.url = url;
        this.process = process;
    }

    /** Whether there is one to start. */
    static boolean installed() {
        return programs().isPresent();
    }

    private static Optional<Path> programs() {
        Stream<Path> path = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(Path::of);
        return Stream.concat(path, debian())
                .filter(each -> Files.isExecutable(each.resolve("initdb")))
                .filter(each -> Files.isExecutable(each.resolve("postgres")))
                .findFirst();
    }

    /** Debian has the programs of each version in a directory that is not on the path. */
    private static Stream<Path> debian() {
        if (!Files.isDirectory(DEBIAN)) {
            return Stream.empty();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one, and returns when it answers. */
    static PostgreSqlServer start() throws IOException {
        Path programs = programs().orElseThrow();
        Path home = Files.createTempDirectory(
                "id-allocator-postgresql",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Path data = Files.createDirectory(home.resolve("data"));
        Path log = home.resolve("log");
        if (isRoot()) {
            Files.setOwner(
                    data, data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
        }
        run(
                log,
                programs.resolve("initdb").toString(),
                "-D",
                data.toString(),
                "-U",
                "test",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C", // whatever this machine's is, and whether it is installed
                "--no-sync");
        int port = Ports.free(1).get(0);
        ChildProcess process = ChildProcess.start(
                log,
                Map.of(),
                command(
                        programs.resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port),
                        "-k",
                        "",
                        "-F"));
        PostgreSqlServer server =
                new PostgreSqlServer(home, "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=test", process);
        await("PostgreSQL")
                .failFast(() -> assertTrue(process.alive(), process::tail))
                .until(server::answers);
        return server;
    }

    private static void run(Path log, String... program) {
        try (ChildProcess process = ChildProcess.start(log, Map.of(), command(program))) {
            assertEquals(0, process.awaitEnd(HangGuard.TIME.toSeconds()), process::tail);
        }
    }

    private static List<String> command(String... program) {
        Stream<String> asNobody = isRoot()
                ? Stream.of("setpriv", "--reuid=" + NOBODY, "--regid=nogroup", "--clear-groups", "--")
                : Stream.of();
        return Stream.concat(asNobody, Stream.of(program)).toList();
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.isValid(0);
        } catch (SQLException e) {
            return false;
        }
    }

    String url() {
        return url;
    }

    /** Waits for what is still connected. */
    @Override
    public void close() {
        process.terminate();
        assertEquals(0, process.awaitEnd(HangGuard.TIME.toSeconds()), process::tail);
        process.close();
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
