package org.idallocator.bench.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the build has made and benchmarks start, from the root of the tree. */
public final class Programs {
    public static final Path SERVICE = Path.of("allocator-service", "target", "allocator-service.jar");
    public static final Path EMPTY = Path.of("verification", "empty", "target", "empty.jar");
    public static final Path LAUNCHER = Path.of("bin", "id-allocator");

    private Programs() {}

    /** A tool of the JDK that runs this. */
    public static String jdk(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    /** Throws {@link IllegalStateException} where one of these is missing. */
    public static void require(Path... built) {
        for (Path each : built) {
            if (!Files.exists(each)) {
                throw new IllegalStateException(
                        each + " is not there; run this at the root of the tree, after mvn -B -q -Pbench"
                                + " package -DskipTests");
            }
        }
    }

    /** Java with these arguments, which has a program listen on the loopback interface only. */
    public static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>(List.of(jdk("java")));
        command.addAll(onLoopback());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Options by which a Dropwizard program listens on the loopback interface only. */
    public static List<String> onLoopback() {
        return List.of(
                "-Ddw.server.applicationConnectors[0].bindHost=127.0.0.1",
                "-Ddw.server.adminConnectors[0].bindHost=127.0.0.1");
    }

    /** The environment of a service that listens on this port, with data in a directory of its own. */
    public static Map<String, String> environment(int port, Path data) {
        return Map.of(
                "PORT",
                Integer.toString(port),
                "ADMIN_PORT",
                "0",
                "ID_ALLOCATOR_DATA",
                data.toAbsolutePath().toString());
    }
}
