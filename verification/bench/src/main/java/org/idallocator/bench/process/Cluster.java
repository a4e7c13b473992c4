package org.idallocator.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.idallocator.bench.UsageException;

/**
 * The cluster of {@code docker-compose.yml}, of images that Docker builds from what Maven has built: ZooKeepers,
 * replicas, and the load balancer in front of them, on a port of its own. All of it is removed when it is closed, or
 * when this JVM is told to end.
 */
public final class Cluster implements AutoCloseable {
    private static final String NAME = "id-allocator-soak";
    private static final Map<String, String> ENVIRONMENT =
            Map.of("COMPOSE_PROJECT_NAME", NAME, "PORT", "0"); // 0: any port that is free

    private final Scratch scratch;
    private final Thread atExit = new Thread(Cluster::down);

    private Cluster(Scratch scratch) {
        this.scratch = scratch;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Builds the images, starts as many replicas as the file says, and waits until Docker calls them healthy.
     *
     * @throws UsageException where Docker or the service's jar is missing, or where a cluster of this name is there
     *     already
     * @throws IllegalStateException with what Docker printed where the cluster does not start
     */
    public static Cluster start(Scratch scratch) {
        Programs.require(Programs.SERVICE);
        requireNone(scratch);
        Cluster cluster = new Cluster(scratch);
        try {
            cluster.run("docker compose up --detach --build --quiet-pull --wait");
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static void requireNone(Scratch scratch) {
        String there;
        try {
            Child.run(scratch, List.of("docker", "compose", "version"));
            String label = "label=com.docker.compose.project=" + NAME;
            there = Child.run(scratch, List.of("docker", "ps", "--all", "--quiet", "--filter", label));
        } catch (IllegalStateException | UncheckedIOException e) {
            throw new UsageException(
                    "this needs Docker with docker compose: docker ps and docker compose version fail here");
        }
        if (!there.isBlank()) {
            throw new UsageException(
                    "a cluster " + NAME + " is there, of a run that goes on or was killed; to remove it:"
                            + " docker compose -p " + NAME + " down --volumes");
        }
    }

    private String run(String command) {
        return Child.run(scratch, ENVIRONMENT, List.of(command.split(" "))).strip();
    }

    /** Where the load balancer listens, on this machine. */
    public int port() {
        String listens = run("docker compose port load-balancer 8080");
        return Integer.parseInt(listens.substring(listens.lastIndexOf(':') + 1));
    }

    /** The containers of the replicas. */
    public List<String> replicas() {
        return run("docker compose ps --quiet replica").lines().toList();
    }

    /** Starts one replica more than there are, and waits until Docker calls it healthy. */
    public void add() {
        int more = replicas().size() + 1;
        run("docker compose up --detach --wait --no-recreate --scale replica=" + more + " replica");
    }

    /** Stops a replica in order, and removes its container. */
    public void remove(String replica) {
        run("docker stop " + replica);
        run("docker rm " + replica);
    }

    /**
     * The process ID of a replica's Java, as this machine counts.
     *
     * @throws IllegalStateException where this machine does not show that process: Docker's processes are elsewhere
     */
    public long pid(String replica) {
        long init = Long.parseLong(run("docker inspect --format {{.State.Pid}} " + replica));
        return ProcessHandle.of(init)
                .flatMap(process -> process.children().findFirst())
                .map(ProcessHandle::pid)
                .orElseThrow(() -> new IllegalStateException("this machine does not show process " + init
                        + " of replica " + replica + ", or no child of it; Docker must run on this machine"));
    }

    /**
     * What a replica takes; see {@link Vitals#of}.
     *
     * @param pid of {@link #pid}, from when the replica was new: one that was started again meanwhile is another one
     * @throws IllegalStateException where there is no such process any more
     */
    public Vitals vitals(String replica, long pid) {
        if (pid(replica) != pid) {
            throw new IllegalStateException("replica " + replica + " was started again; it was process " + pid);
        }
        String jar = Programs.SERVICE.getFileName().toString();
        return Vitals.of(pid, scratch, run("docker exec " + replica + " jcmd " + jar + " GC.class_histogram"));
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            return; // this JVM is ending, and removes everything
        }
        down();
    }

    /**
     * Removes all containers, networks and volumes. No {@link Child}: none can be started any more when the JVM is
     * ending.
     */
    private static void down() {
        ProcessBuilder builder = new ProcessBuilder("docker", "compose", "down", "--volumes", "--timeout", "0")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(ENVIRONMENT);
        try {
            if (builder.start().waitFor() != 0) {
                System.err.println("not all is removed; to do so: docker compose -p " + NAME + " down --volumes");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
