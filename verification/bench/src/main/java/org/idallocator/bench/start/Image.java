package org.idallocator.bench.start;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.bench.Figures;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Program;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;

/** Starts the service's image, with nothing but a port that is published on the loopback interface. */
final class Image implements Start.Started {
    private static final String TAG = "id-allocator-bench";
    private static final double NANOS = 1e6;

    private final Scratch scratch;
    private final List<Double> withDocker = new ArrayList<>();
    private int started;

    private Image(Scratch scratch) {
        this.scratch = scratch;
    }

    /**
     * The image, built from what Maven has built; empty, with the reason on standard error, where Docker cannot do
     * that.
     */
    static Optional<Image> built(Scratch scratch) {
        try {
            Child.run(scratch, List.of("docker", "build", "-q", "-t", TAG, "-f", "allocator-service/Dockerfile", "."));
            return Optional.of(new Image(scratch));
        } catch (RuntimeException e) {
            System.err.println("SKIPPED: the image, because " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * From the start of the container's process, by Docker's own account, to the first answer on the published port.
     */
    @Override
    public double millis() {
        int port = Http.freePort();
        String name = TAG + "-" + ProcessHandle.current().pid() + "-" + started++;
        List<String> command =
                List.of("docker", "run", "--rm", "--name", name, "-p", "127.0.0.1:" + port + ":8080", TAG, "server");
        try (Server docker = Server.start(scratch, new Program(port, "/ids/sno", Map.of(), command))) {
            Instant to = Instant.now();
            try {
                withDocker.add(docker.millisToAnswer());
                String begun = Child.run(scratch, List.of("docker", "inspect", "-f", "{{.State.StartedAt}}", name));
                return Duration.between(Instant.parse(begun.strip()), to).toNanos() / NANOS;
            } finally {
                Child.run(scratch, List.of("docker", "stop", name));
            }
        }
    }

    /** The same from the call of {@code docker run}. */
    Figures withDocker() {
        return new Figures(withDocker);
    }
}
