package org.idallocator.bench.soak;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.bench.process.Vitals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SoakTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void shouldDrawEachFigureUpToItsMost() throws IOException {
        Path file = directory.resolve("soak.svg");
        Soak.drawn(List.of(
                        new Sample(new Vitals(16, 160, 44, 21), 290_000, 0),
                        new Sample(new Vitals(17, 150, 45, 20), 300_000, 7),
                        new Sample(new Vitals(15, 140, 43, 22), 280_000, 3)))
                .write(file);

        String drawn = Files.readString(file);
        for (String said : List.of(
                "MiB of heap after a collection",
                "17",
                "MiB resident",
                "160",
                "threads",
                "45",
                "sockets",
                "22",
                "requests a minute",
                "300000",
                "failed requests a minute",
                "7",
                "3 min")) {
            assertTrue(drawn.contains(">" + said + "</text>"), () -> said + " is not in " + drawn);
        }
    }
}
