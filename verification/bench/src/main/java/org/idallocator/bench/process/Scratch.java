package org.idallocator.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that is deleted in the end, with all that is in it. */
public final class Scratch implements AutoCloseable {
    private final Path directory;
    private final Path data;
    private int made;

    public Scratch() {
        try {
            directory = Files.createTempDirectory("id-allocator-bench");
            data = Files.createDirectory(directory.resolve("data"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A path of this name in the directory, with nothing there. */
    public Path path(String name) {
        return directory.resolve(made++ + "-" + name);
    }

    /**
     * A path for the data of a service, with nothing there. It is in a directory of its own: a first start waits where
     * something has just changed.
     */
    public Path data() {
        return data.resolve(Integer.toString(made++));
    }

    /** A file in the directory that holds these lines. */
    public Path file(String name, List<String> lines) {
        return file(path(name), lines);
    }

    /** A file that holds these lines. */
    static Path file(Path path, List<String> lines) {
        try {
            return Files.write(path, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An empty directory in the directory. */
    public Path directory(String name) {
        try {
            return Files.createDirectory(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
