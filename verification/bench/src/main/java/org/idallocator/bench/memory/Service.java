package org.idallocator.bench.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;

/** The real jar, with an embedded ZooKeeper on a directory of its own. */
final class Service implements AutoCloseable {
    static final String HEAP = "-Xmx256m";
    private static final Pattern USED = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final double KIBI = 1024;

    private final Scratch scratch;
    private final int port;
    private final Child process;

    private Service(Scratch scratch, int port, Child process) {
        this.scratch = scratch;
        this.port = port;
        this.process = process;
    }

    /** Starts the service, and waits for its first ID. */
    static Service start(Scratch scratch) {
        int port = Http.freePort();
        Child process = Child.start(
                scratch.path("output"),
                Programs.environment(port, scratch.path("data")),
                Programs.java(HEAP, "-XX:+UseG1GC", "-jar", Programs.SERVICE.toString(), "server"));
        Service service = new Service(scratch, port, process);
        try {
            Http.awaitAnswer(port, "/ids/sno", process);
            return service;
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    /** Has the service collect its garbage, and tells what is left at that very moment: a busy service makes more at once. */
    Sample sample() {
        double heap = found(USED, jcmd("GC.class_histogram")) / KIBI;
        return new Sample(heap, found(RESIDENT, status()));
    }

    private String jcmd(String command) {
        return Child.run(scratch, List.of(Programs.jdk("jcmd"), Long.toString(process.pid()), command));
    }

    private String status() {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("there is no " + pattern + " in " + text);
        }
        return Long.parseLong(matcher.group(1)) / KIBI;
    }

    @Override
    public void close() {
        process.close();
    }

    /**
     * Memory at one moment, in MiB.
     *
     * @param heap what is in use after a collection
     * @param resident the resident size of the process
     */
    record Sample(double heap, double resident) {}
}
