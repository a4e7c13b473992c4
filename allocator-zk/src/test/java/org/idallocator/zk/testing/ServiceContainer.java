package org.idallocator.zk.testing;

import static org.idallocator.core.testing.HangGuard.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A container of the service's image. {@link Leftovers} has a note of it while it is there; it is removed when it is
 * closed.
 */
public final class ServiceContainer implements AutoCloseable {
    private final String id;
    private final Leftovers.Note note;

    ServiceContainer(String id) {
        this.id = id;
        this.note = Leftovers.container(id);
    }

    public String id() {
        return id;
    }

    /** What {@code docker inspect} tells of the container, by a template. */
    public String inspect(String template) {
        return Commands.output(List.of("docker", "inspect", "-f", template, id)).strip();
    }

    /** The port of this machine that leads to the container's port 8080. */
    public int port() {
        return Integer.parseInt(inspect("{{(index (index .NetworkSettings.Ports \"8080/tcp\") 0).HostPort}}"));
    }

    /** Everything that was printed so far, on standard output and standard error. */
    public String log() {
        return Commands.output(List.of("docker", "logs", id));
    }

    /** The names of all files in the container, without a slash in front, one a line. */
    public String files() {
        return Commands.output(List.of("sh", "-c", "docker export " + id + " | tar -tf -"));
    }

    /** What {@code ps} has of each process in the container, in a column such as {@code comm}. */
    public List<String> processes(String column) {
        return Commands.output(List.of("docker", "top", id, "-o", "pid," + column))
                .lines()
                .skip(1)
                .map(line -> line.strip().replaceFirst("^[0-9]+ +", ""))
                .toList();
    }

    /** Runs a program in the container to its end; throws when it fails. */
    public String execute(String... command) {
        return Commands.output(executing(command));
    }

    /** The same, and returns the status. */
    public int status(String... command) {
        return Commands.end(executing(command)).status();
    }

    private List<String> executing(String... command) {
        return Stream.concat(Stream.of("docker", "exec", id), Stream.of(command))
                .toList();
    }

    /**
     * Sends SIGTERM, kills the container if it takes longer than so many seconds, and returns the status of its end.
     */
    public int stop(int seconds) {
        Commands.run("docker", "stop", "-t", Integer.toString(seconds), id);
        return awaitEnd();
    }

    /** Waits for the container's end, and returns its status. */
    public int awaitEnd() {
        return Integer.parseInt(Commands.output(List.of("docker", "wait", id)).strip());
    }

    /** Waits until a request is answered with 200, and returns the answer's body. */
    public String awaitAnswer(String pathAndQuery) {
        URI uri = URI.create("http://127.0.0.1:" + port() + pathAndQuery);
        return await(uri + " is answered")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> Probe.get(uri).filter(answer -> answer.statusCode() == 200), Optional::isPresent)
                .orElseThrow()
                .body();
    }

    @Override
    public void close() {
        Commands.run("docker", "rm", "--force", "--volumes", id);
        note.close();
    }
}
