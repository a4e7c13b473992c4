package org.idallocator.bench.batches;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;

/** The service as operators run it, or what it is compared with, in a process of its own on the loopback interface. */
final class Service implements AutoCloseable {
    private final Child process;
    private final int port;

    private Service(Child process, int port, String probe) {
        this.process = process;
        this.port = port;
        Http.awaitAnswer(port, probe, process);
    }

    /** The service with an embedded ZooKeeper and data of its own; {@code options} are those of the JVM. */
    static Service start(Scratch scratch, String... options) {
        Programs.require(Programs.SERVICE);
        int port = Http.freePort();
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-jar", Programs.SERVICE.toString(), "server"));
        Child child = Child.start(
                scratch.path("service.log"),
                Programs.environment(port, scratch.directory("data")),
                Programs.java(arguments.toArray(String[]::new)));
        return new Service(child, port, "/health-check?name=all");
    }

    /** A server that sends ready bytes. */
    static Service readyBytes(Scratch scratch) {
        int port = Http.freePort();
        String self = Path.of(System.getProperty("java.class.path")).toString();
        Child child = Child.start(
                scratch.path("ready.log"),
                Map.of(),
                Programs.java("-cp", self, ReadyBytes.class.getName(), Integer.toString(port)));
        return new Service(child, port, "/1");
    }

    Connection connect() {
        return new Connection(port);
    }

    @Override
    public void close() {
        process.close();
    }
}
