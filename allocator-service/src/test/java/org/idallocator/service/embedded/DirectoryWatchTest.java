package org.idallocator.service.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DirectoryWatchTest {
    private final DataDirectory data = new DataDirectory(Path.of("/dev/null/data"));
    private final List<Integer> halted = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void shouldLookAgainWhateverHappenedWhenItLooked() {
        DirectoryWatch.Look failing = () -> {
            looks.incrementAndGet();
            throw new NumberFormatException("nobody foresaw this");
        };
        try (DirectoryWatch watch = DirectoryWatch.start(data, failing, halted::add)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> looks.get() > 1);
            assertEquals(List.of(), halted, watch::toString);
        }
    }
}
