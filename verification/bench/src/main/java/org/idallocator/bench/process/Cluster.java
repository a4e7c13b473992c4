package org.idallocator.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.idallocator.bench.UsageException;

/**
 * The cluster of {@code docker-compose.yml}, of images that Docker builds from what Maven has built: ZooKeepers, replicas, and the
 * load balancer in front of them, on a port of its own. All of it is removed when it is closed. Where this JVM is told to end, the
 * thread that started the cluster is interrupted, and is waited for while it closes it. Confined to that thread.
 */
public final class Cluster implements AutoCloseable {
    private static final String NAME = "id-allocator-soak";
    private static final Map<String, String> ENVIRONMENT =
            Map.of("COMPOSE_PROJECT_NAME", NAME, "PORT", "0"); // 0: any port that is free
    private static final String REPLICA = "replica";
    private static final List<String> DOWN = List.of("docker", "compose", "down", "--volumes", "--timeout", "0");
    private static final long CLOSING_MILLIS = 60_000;

    private final Scratch scratch;
    private final Thread atExit;

    private Cluster(Scratch scratch) {
        this.scratch = scratch;
        Thread owner = Thread.currentThread();
        this.atExit = new Thread(() -> interrupt(owner));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    private static void interrupt(Thread owner) {
        owner.interrupt();
        try {
            owner.join(CLOSING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Builds the images, starts as many replicas as the file says, and waits until Docker calls them healthy.
     *
     * @throws UsageException where Docker or the service's jar is missing, or where a cluster of this name is there already
     * @throws IllegalStateException with what Docker printed where the cluster does not start
     */
    public static Cluster start(Scratch scratch) {
        Programs.require(Programs.SERVICE);
        requireNone(scratch);
        Cluster cluster = new Cluster(scratch);
        try {
            cluster.compose("up", "--detach", "--build", "--quiet-pull", "--wait");
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
            there = Child.run(
                    scratch,
                    List.of(
                            "docker",
                            "ps",
                            "--all",
                            "--quiet",
                            "--filter",
                            "label=com.docker.compose.project=" + NAME));
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

    private String compose(String... words) {
        List<String> command = new ArrayList<>(List.of("docker", "compose"));
        command.addAll(List.of(words));
        return Child.run(scratch, ENVIRONMENT, command);
    }

    private String docker(String... words) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(words));
        return Child.run(scratch, Map.of(), command).strip();
    }

    /** Where the load balancer listens, on this machine. */
    public int port() {
        String listens = compose("port", "load-balancer", "8080").strip();
        return Integer.parseInt(listens.substring(listens.lastIndexOf(':') + 1));
    }

    /** The containers of the replicas. */
    public List<String> replicas() {
        return compose("ps", "--quiet", REPLICA).lines().toList();
    }

    /** Starts one replica more than there are, and waits until Docker calls it healthy. */
    public void add() {
        int more = replicas().size() + 1;
        compose("up", "--detach", "--wait", "--no-recreate", "--scale", REPLICA + "=" + more, REPLICA);
    }

    /** Stops a replica in order, and removes its container. */
    public void remove(String replica) {
        docker("stop", replica);
        docker("rm", replica);
    }

    /**
     * The process ID of a replica's Java, as this machine counts.
     *
     * @throws IllegalStateException where this machine does not show that process: Docker's processes are elsewhere
     */
    public long pid(String replica) {
        long init = Long.parseLong(docker("inspect", "--format", "{{.State.Pid}}", replica));
        return ProcessHandle.of(init)
                .flatMap(process -> process.children().findFirst())
                .map(ProcessHandle::pid)
                .orElseThrow(() -> new IllegalStateException("this machine does not show process " + init
                        + " of replica " + replica + ", or no child of it; Docker must run on this machine"));
    }

    /** Has a replica collect its garbage, and tells what of each class is left. */
    String histogram(String replica) {
        return docker("exec", replica, "jcmd", Programs.SERVICE.getFileName().toString(), "GC.class_histogram");
    }

    /** Removes all containers, networks and volumes, also where this thread was interrupted, or the JVM is ending. */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            down();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            forget();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** No {@link Child}: none can be started any more when the JVM is ending. */
    private void down() throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(DOWN)
                .redirectErrorStream(true)
                .redirectOutput(scratch.path("output").toFile());
        builder.environment().putAll(ENVIRONMENT);
        try {
            Process down = builder.start();
            if (!down.waitFor(CLOSING_MILLIS, TimeUnit.MILLISECONDS) || down.exitValue() != 0) {
                System.err.println("not all is removed; to do so: docker compose -p " + NAME + " down --volumes");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // this JVM is ending
        }
    }
}
