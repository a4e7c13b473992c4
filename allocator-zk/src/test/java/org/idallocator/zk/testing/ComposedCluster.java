package org.idallocator.zk.testing;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The cluster of {@code docker-compose.yml}, under a name and on a port of its own. Its images are built from what
 * Maven has built, as {@link ServiceImage} has it. {@link Leftovers} has a note of the cluster while it is there; all
 * of it is removed when it is closed.
 */
public final class ComposedCluster implements AutoCloseable {
    private static final Path ROOT = Path.of("..", "..");

    private final String project =
            "id-allocator-test-" + ProcessHandle.current().pid();
    private final Leftovers.Note note = Leftovers.composition(project);

    private ComposedCluster() {}

    /** Builds the images, starts as many replicas as the file says, and waits until Docker calls them healthy. */
    public static ComposedCluster started() {
        ComposedCluster cluster = new ComposedCluster();
        try {
            cluster.run("docker compose up --detach --build --quiet-pull --wait");
            return cluster;
        } catch (RuntimeException e) {
            System.out.println(cluster.logs());
            cluster.close();
            throw e;
        }
    }

    /**
     * Runs lines of a shell in the file's directory, as operators do, and returns what they print. The lines end with
     * the first that fails, and then this throws.
     */
    public String run(String lines) {
        ProcessBuilder shell = new ProcessBuilder("sh", "-euc", lines).directory(ROOT.toFile());
        shell.environment().putAll(Map.of("COMPOSE_PROJECT_NAME", project, "PORT", "0")); // 0: any port that is free
        return Commands.output(shell);
    }

    /** Where the load balancer answers. */
    public URI address() {
        String listens = run("docker compose port load-balancer 8080").strip();
        return URI.create("http://127.0.0.1" + listens.substring(listens.lastIndexOf(':')));
    }

    /** The containers of a service that run. */
    public List<String> containers(String service) {
        return run("docker compose ps --quiet " + service).lines().toList();
    }

    /** What {@code docker inspect} tells of a container, by a template. */
    public String inspect(String container, String template) {
        return Commands.output(List.of("docker", "inspect", "-f", template, container))
                .strip();
    }

    /** The last lines that each container has printed. */
    public String logs() {
        return run("docker compose logs --no-color --tail 40");
    }

    @Override
    public void close() {
        run("docker compose down --volumes --timeout 0");
        note.close();
    }
}
