package org.idallocator.zk.testing;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Whether ZooKeepers run in containers. Docker is asked once and has seconds to answer, as Testcontainers alone would
 * try for minutes. With {@code -Dzookeepers=processes} Docker is not asked.
 */
public final class Docker {
    private static final int ANSWER_SECONDS = 10;
    private static final int PULL_SECONDS = 120;
    private static final Optional<String> WHY_NOT = ask();

    private Docker() {}

    /** Why ZooKeepers do not run in containers; empty when they do. */
    public static Optional<String> whyNot() {
        return WHY_NOT;
    }

    private static Optional<String> ask() {
        if ("processes".equals(System.getProperty("zookeepers"))) {
            return Optional.of("-Dzookeepers=processes was given instead of containers");
        }
        if (!succeeds(ANSWER_SECONDS, "docker", "version")) {
            return Optional.of("Docker does not answer");
        }
        boolean image = succeeds(ANSWER_SECONDS, "docker", "image", "inspect", ZooKeepers.IMAGE)
                || succeeds(PULL_SECONDS, "docker", "pull", ZooKeepers.IMAGE);
        return image ? Optional.empty() : Optional.of("Docker has no image " + ZooKeepers.IMAGE + " and gets none");
    }

    private static boolean succeeds(int patienceSeconds, String... command) {
        try {
            Process docker = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = docker.waitFor(patienceSeconds, TimeUnit.SECONDS);
            docker.destroyForcibly();
            return ended && docker.exitValue() == 0;
        } catch (IOException e) {
            return false; // no such command
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
