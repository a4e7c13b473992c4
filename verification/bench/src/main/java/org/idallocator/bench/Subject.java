package org.idallocator.bench;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server in a process of its own on loopback, until closed. What it prints is in a file of its own directory, which goes with it. */
final class Subject implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    private static final long PAUSE_MILLIS = 50;

    private final String name;
    private final int port;
    private final Process process;
    private final Path directory;

    private Subject(String name, int port, Process process, Path directory) {
        this.name = name;
        this.port = port;
        this.process = process;
        this.directory = directory;
    }

    /** The service, with an embedded ZooKeeper whose data is in the subject's directory. Returns when all of {@code paths} are answered. */
    static Subject service(Path jar, List<String> paths) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("bench");
        int port = freePort();
        Path configuration =
                Files.writeString(directory.resolve("bench.yml"), """
                allocator: {zookeeper: {embedded: {enabled: true, dataDir: '%s'}}}
                server:
                  applicationConnectors: [{type: http, port: %d, bindHost: 127.0.0.1}]
                  adminConnectors: [{type: http, port: 0, bindHost: 127.0.0.1}]
                  requestLog: {appenders: []}
                logging: {level: WARN}
                """.formatted(directory.resolve("data"), port));
        List<String> command = List.of("-jar", jar.toString(), "server", configuration.toString());
        return start("the service", port, directory, command).awaitAnswers(paths);
    }

    /** {@link ReadyBytes} on the thread that {@code where} names. */
    static Subject readyBytes(String where) throws IOException, InterruptedException {
        int port = freePort();
        List<String> command = List.of("-cp", classPath(), ReadyBytes.class.getName(), where, "" + port);
        return start("ready bytes, " + where, port, Files.createTempDirectory("bench"), command)
                .awaitAnswers(List.of("/"));
    }

    /** That of this process; the subject has another directory. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Subject start(String name, int port, Path directory, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("ID_ALLOCATOR_DATA", directory.resolve("data").toString());
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return new Subject(name, port, process, directory);
    }

    private Subject awaitAnswers(List<String> paths) throws IOException, InterruptedException {
        long since = System.nanoTime();
        for (String path : paths) {
            while (!Load.isAnswered(port, path)) {
                if (!process.isAlive() || System.nanoTime() - since > PATIENCE_NANOS) {
                    String said = Files.readString(directory.resolve("said"));
                    close();
                    throw new IOException(name + " does not answer " + path + "; it said:\n" + said);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        }
        return this;
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly())
                .join();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
