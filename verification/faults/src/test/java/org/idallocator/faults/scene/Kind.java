package org.idallocator.faults.scene;

import java.nio.file.Path;
import java.util.List;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.faults.control.NaiveReplica;
import org.idallocator.zk.testing.ServiceJar;

/** The program that a replica runs. */
public enum Kind {
    /** {@code java -jar allocator-service.jar server config.yml}, as operators run it. */
    SERVICE,

    /** Holds an ephemeral node and stops on Curator's LOST: what the harness must find duplicates in. */
    NAIVE,

    /**
     * The same, but goes on while ZooKeeper is away, and makes its node anew without a look at who had it meanwhile.
     */
    STUBBORN;

    /** Whether it is there to show that the harness finds duplicates. */
    public boolean isControl() {
        return this != SERVICE;
    }

    /** Which schemes with slots it serves. */
    public List<String> schemes() {
        return this == SERVICE ? List.of("sno", "muid", "eightbyte", "uid60") : List.of("sno");
    }

    /** What a replica is told. */
    record Settings(String name, int port, int adminPort, String connect, Stage stage) {

        /** The same with snos cut otherwise. */
        Settings on(Stage other) {
            return new Settings(name, port, adminPort, connect, other);
        }
    }

    /** Writes the service's configuration; returns the file. */
    static Path configuration(Path directory, Settings settings) {
        String section = """
                zookeeper: {connect: '%s', sessionTimeout: %s}
                window: %s
                schemes:
                  sno: {partitions: %d, shards: %d}
                  muid: {leases: 2}
                  eightbyte: {}
                  uid60: {leases: 2}
                """.formatted(
                        settings.connect(),
                        settings.stage().session().toMillis() + "ms",
                        settings.stage().window().toMillis() + "ms",
                        settings.stage().partitions(),
                        settings.stage().shards());
        return ServiceJar.configuration(directory, settings.name(), section, settings.port(), settings.adminPort());
    }

    /** What the JVM is given, behind its own options. */
    List<String> arguments(Path directory, Settings settings) {
        return this == SERVICE
                ? ServiceJar.arguments(
                        "server", configuration(directory, settings).toString())
                : List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        NaiveReplica.class.getName(),
                        Integer.toString(settings.port()),
                        settings.connect(),
                        Long.toString(settings.stage().session().toMillis()),
                        Integer.toString(settings.stage().slots()),
                        Boolean.toString(this == STUBBORN));
    }

    /** How snos are cut into slots. */
    static SnoScheme sno(Stage stage) {
        return new SnoScheme(0, stage.partitions(), stage.shards());
    }
}
