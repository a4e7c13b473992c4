package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * Remembers on disk what tests have started, so that the next run ends what a killed run has left behind. It ends only
 * what was noted, and a process only if it also started when the note says: a process ID may belong to another process
 * by now.
 *
 * <p>A note is a file of properties in the system's temporary directory. It is deleted when its subject ends in order.
 */
final class Leftovers {
    private static final Path NOTES = Path.of(System.getProperty("java.io.tmpdir"));
    private static final String PREFIX = "id-allocator-tests-";

    static {
        sweep();
    }

    private Leftovers() {}

    /** A note, which is deleted when it is closed. */
    record Note(Path file) implements AutoCloseable {
        @Override
        public void close() {
            delete(file);
        }
    }

    static Note process(ProcessHandle process) {
        return write("process-" + process.pid(), started(process));
    }

    static Note container(String id) {
        return write("container-" + id, "");
    }

    /** All that {@code docker compose} has started under a project's name. */
    static Note composition(String project) {
        return write("composition-" + project, "");
    }

    private static Note write(String subject, String started) {
        ProcessHandle owner = ProcessHandle.current();
        Properties note = new Properties();
        note.setProperty("owner", owner.pid() + " " + started(owner));
        note.setProperty("subject", subject);
        note.setProperty("started", started);
        Path file = NOTES.resolve(PREFIX + subject + "-of-" + owner.pid());
        try (var out = Files.newOutputStream(file)) {
            note.store(out, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Note(file);
    }

    private static String started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }

    private static void sweep() {
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(NOTES, PREFIX + "*-of-*")) {
            notes.forEach(Leftovers::sweep);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another user's notes are left to that user. */
    private static void sweep(Path file) {
        if (!Files.isWritable(file)) {
            return;
        }
        Properties note = new Properties();
        try (var in = Files.newInputStream(file)) {
            note.load(in);
        } catch (IOException e) {
            return; // its owner has just deleted it
        }
        if (note.size() < 3) {
            return; // its owner is writing it
        }
        if (!ownerLives(note.getProperty("owner", ""))) {
            end(note.getProperty("subject", ""), note.getProperty("started", ""));
            delete(file);
        }
    }

    private static boolean ownerLives(String owner) {
        List<String> pidAndStart = Arrays.asList(owner.split(" "));
        return pidAndStart.size() == 2
                && processOf(pidAndStart.get(0), pidAndStart.get(1)).isPresent();
    }

    private static Optional<ProcessHandle> processOf(String pid, String started) {
        return ProcessHandle.of(Long.parseLong(pid))
                .filter(process -> started(process).equals(started));
    }

    private static void end(String subject, String started) {
        String id = subject.substring(subject.indexOf('-') + 1);
        if (subject.startsWith("process-")) {
            processOf(id, started).ifPresent(ProcessHandle::destroyForcibly);
        } else if (subject.startsWith("container-") && Docker.whyNot().isEmpty()) {
            Commands.tryRun("docker", "rm", "--force", "--volumes", id);
        } else if (subject.startsWith("composition-") && Docker.whyNot().isEmpty()) {
            Commands.tryRun("docker", "compose", "-p", id, "down", "--volumes", "--timeout", "0");
        }
    }

    private static void delete(Path file) {
        assertDoesNotThrow(() -> Files.deleteIfExists(file));
    }
}
