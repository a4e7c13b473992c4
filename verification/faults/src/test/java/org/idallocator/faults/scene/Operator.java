package org.idallocator.faults.scene;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.ServiceJar;

/** Runs the commands of the service's jar, each as a process of its own. */
public final class Operator {
    private final Path config;
    private final Path output;
    private final Log log;

    /** With this configuration; what a command prints is kept in {@code output}. */
    Operator(Path config, Path output, Log log) {
        this.config = config;
        this.output = output;
        this.log = log;
    }

    /** The configuration file, as commands want it. */
    public String config() {
        return config.toString();
    }

    /**
     * How a command ended.
     *
     * @param status its exit status
     * @param output what it printed
     */
    public record Answer(int status, String output) {

        /** What follows a key at the beginning of a line. */
        public String value(String key) {
            return output.lines()
                    .filter(line -> line.startsWith(key + ":"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + key + " in: " + output))
                    .substring(key.length() + 1)
                    .strip();
        }
    }

    /** Runs a command to its end; it must end with {@code status}. */
    public Answer run(int status, String... command) {
        log.mark(String.join(" ", command).replace(config(), "config.yml"));
        assertDoesNotThrow(() -> Files.deleteIfExists(output));
        try (ChildProcess process = ChildProcess.java(output, Map.of(), ServiceJar.arguments(command))) {
            Answer answer = new Answer(
                    process.awaitEnd(HangGuard.TIME.toSeconds()), assertDoesNotThrow(() -> Files.readString(output)));
            if (answer.status() != status) {
                throw new AssertionError(command[0] + " ended with " + answer);
            }
            return answer;
        }
    }
}
