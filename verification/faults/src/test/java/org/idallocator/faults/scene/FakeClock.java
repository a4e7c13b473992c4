package org.idallocator.faults.scene;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A wall clock of a process's own, that jumps when it is told to; monotonic time stays right. Debian's {@code faketime}
 * does it, by a library that is loaded before all others.
 */
public final class FakeClock {
    private static final String LIBRARY = "faketime/libfaketime.so.1";

    private final Path file;

    FakeClock(Path file) {
        this.file = file;
        shift(Duration.ZERO);
    }

    /** Where the library is; empty when faketime is not installed. */
    static Optional<Path> library() {
        File[] found = new File("/usr/lib").listFiles(each -> new File(each, LIBRARY).exists());
        return Stream.ofNullable(found)
                .flatMap(Stream::of)
                .map(each -> each.toPath().resolve(LIBRARY))
                .findFirst();
    }

    public static boolean available() {
        return library().isPresent();
    }

    /** What a process needs in order to live by this clock. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library().orElseThrow().toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** From now on the clock is off by this. */
    public void shift(Duration offset) {
        long millis = Math.abs(offset.toMillis());
        String text = "%s%d.%03d".formatted(offset.isNegative() ? "-" : "+", millis / 1_000, millis % 1_000);
        try {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
