package org.idallocator.faults.scene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.faults.control.NaiveReplica;

/** The program that a replica runs. */
public enum Kind {
    /** {@code java -jar allocator-service.jar server config.yml}, as operators run it. */
    SERVICE {
        @Override
        List<String> arguments(Path directory, Settings settings) {
            return List.of(
                    "-jar",
                    JAR.toString(),
                    "server",
                    configuration(directory, settings).toString());
        }

        @Override
        public List<String> schemes() {
            return List.of("sno", "muid", "eightbyte", "uid60");
        }
    },
    /** Holds an ephemeral node and stops on Curator's LOST: what the harness must find duplicates in. */
    NAIVE {
        @Override
        List<String> arguments(Path directory, Settings settings) {
            return List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    NaiveReplica.class.getName(),
                    Integer.toString(settings.port()),
                    settings.connect(),
                    Long.toString(settings.stage().session().toMillis()),
                    Integer.toString(settings.stage().slots()));
        }

        @Override
        public List<String> schemes() {
            return List.of("sno");
        }
    };

    private static final int LARGEST_MAX = 3;

    static final Path JAR = Path.of("..", "..", "allocator-service", "target", "allocator-service.jar");

    /** What a replica is told. */
    record Settings(String name, int port, int adminPort, String connect, Stage stage) {

        /** The same with snos cut otherwise. */
        Settings on(Stage other) {
            return new Settings(name, port, adminPort, connect, other);
        }
    }

    /** Writes the service's configuration; returns the file. */
    static Path configuration(Path directory, Settings settings) {
        Path config = directory.resolve(settings.name() + ".yml");
        write(config, configuration(settings));
        return config;
    }

    /** What the JVM is given. */
    abstract List<String> arguments(Path directory, Settings settings);

    /** Which schemes with slots it serves. */
    public abstract List<String> schemes();

    /** Draining is that of config/cluster.yml. */
    private static String configuration(Settings settings) {
        return """
                allocator:
                  instance: %s
                  zookeeper: {connect: '%s', sessionTimeout: %s}
                  window: %s
                  schemes:
                    sno: {partitions: %d, shards: %d, leases: {min: 1, max: %d}}
                    muid: {leases: {min: 1, max: 3}}
                    eightbyte: {leases: {min: 1, max: 3}}
                    uid60: {leases: {min: 1, max: 3}}
                health:
                  delayedShutdownHandlerEnabled: true
                  shutdownWaitPeriod: 3s
                server:
                  applicationConnectors: [{type: http, port: %d}]
                  adminConnectors: [{type: http, port: %d}]
                  requestLog: {appenders: []}
                logging:
                  loggers:
                    org.apache.zookeeper: WARN
                    org.apache.curator: WARN
                """.formatted(
                        settings.name(),
                        settings.connect(),
                        millis(settings),
                        millis(settings),
                        settings.stage().partitions(),
                        settings.stage().shards(),
                        Math.min(LARGEST_MAX, settings.stage().slots()),
                        settings.port(),
                        settings.adminPort());
    }

    private static String millis(Settings settings) {
        return settings.stage().session().toMillis() + "ms";
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How snos are cut into slots. */
    static SnoScheme sno(Stage stage) {
        return new SnoScheme(0, stage.partitions(), stage.shards());
    }
}
