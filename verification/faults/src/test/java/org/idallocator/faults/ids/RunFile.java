package org.idallocator.faults.ids;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a file of sorted runs, one after the other. */
final class RunFile implements AutoCloseable {
    private final DataInputStream in;

    RunFile(Path file) {
        in = assertDoesNotThrow(() -> new DataInputStream(new BufferedInputStream(Files.newInputStream(file))));
    }

    /** Empty at the end. */
    Optional<Run> next() {
        try {
            long high;
            try {
                high = in.readLong();
            } catch (EOFException e) {
                return Optional.empty();
            }
            return Optional.of(new Run(high, in.readLong(), in.readLong()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        assertDoesNotThrow(() -> in.close());
    }
}
