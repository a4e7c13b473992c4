package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The service as operators run it. Its jar is looked for from a module below {@code verification} that has it built before. */
public final class ServiceJar {
    public static final Path PATH = Path.of("..", "..", "allocator-service", "target", "allocator-service.jar")
            .toAbsolutePath();

    private ServiceJar() {}

    /** What a JVM is given, behind its own options, to run a command of the service. */
    public static List<String> arguments(String... command) {
        return Stream.concat(Stream.of("-jar", PATH.toString()), Stream.of(command))
                .toList();
    }

    /**
     * Writes the configuration of a replica, which stops as config/cluster.yml says; returns the file, called after the replica.
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
