package org.idallocator.zk.testing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The service as operators run it. Its jar is looked for from a module below {@code verification} that has it built
 * before.
 */
public final class ServiceJar {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path TARGET = ROOT.resolve(Path.of("allocator-service", "target"));
    public static final Path PATH = TARGET.resolve("allocator-service.jar");

    private ServiceJar() {}

    /** Has the launcher make its archive of classes where there is none that this Java takes. */
    private static final class Launcher {
        static {
            try (FileChannel file = FileChannel.open(TARGET.resolve("archive.lock"), CREATE, WRITE)) {
                var unused = file.lock(); // tests run in several JVMs
                Commands.run(
                        "env",
                        "ID_ALLOCATOR_ARCHIVE=now",
                        "JAVA=" + Path.of(System.getProperty("java.home"), "bin", "java"),
                        ROOT.resolve(Path.of("bin", "id-allocator")).toString(),
                        "--help");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Empty where the launcher could make none. */
        static Optional<File> archive() {
            return Stream.of(TARGET.toFile().listFiles((directory, name) -> name.endsWith(".jsa")))
                    .findFirst();
        }
    }

    /**
     * What a JVM is given, behind its own options, to run a command of the service as the launcher does: in half of the
     * time.
     */
    public static List<String> arguments(String... command) {
        List<String> arguments = new ArrayList<>(List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        Launcher.archive().ifPresent(archive -> arguments.add("-XX:SharedArchiveFile=" + archive));
        arguments.addAll(List.of("-jar", PATH.toString()));
        arguments.addAll(List.of(command));
        return arguments;
    }

    /**
     * Writes the configuration of a replica, which stops as config/cluster.yml says; returns the file, called after the
     * replica.
     *
     * @param settings below {@code allocator:}, as YAML
     */
    public static Path configuration(Path directory, String name, String settings, int port, int adminPort) {
        String text = """
                allocator:
                  instance: %s
                  admin: {token: %s}
                %s
                health:
                  delayedShutdownHandlerEnabled: true
                  shutdownWaitPeriod: 3s
                server:
                  shutdownGracePeriod: 3s
                  applicationConnectors: [{type: http, port: %d}]
                  adminConnectors: [{type: http, port: %d}]
                  requestLog: {appenders: []}
                logging:
                  loggers:
                    org.apache.zookeeper: WARN
                    org.apache.curator: WARN
                """.formatted(
                        name, ReplicaProcess.ADMIN_TOKEN, settings.indent(2).stripTrailing(), port, adminPort);
        return assertDoesNotThrow(() -> Files.writeString(directory.resolve(name + ".yml"), text));
    }
}
