package org.idallocator.faults.scene;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeClockTest {
    @TempDir
    private Path directory;

    @Test
    void shouldWriteOffsetsAsFaketimeReadsThem() throws IOException {
        Path file = directory.resolve("clock");
        FakeClock clock = new FakeClock(file);
        assertEquals("+0.000", Files.readString(file));
        clock.shift(Duration.ofMillis(-5));
        assertEquals("-0.005", Files.readString(file));
        clock.shift(Duration.ofDays(365).plusMillis(5));
        assertEquals("+31536000.005", Files.readString(file));
        clock.shift(Duration.ofHours(-1));
        assertEquals("-3600.000", Files.readString(file));
    }
}
