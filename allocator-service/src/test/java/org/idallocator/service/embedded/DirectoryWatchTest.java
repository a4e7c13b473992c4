package org.idallocator.service.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.service.testing.Said;
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

    @Test
    void shouldSayInOneLineWhyItEndsTheProcess() {
        DirectoryWatch.Look lost = () -> {
            throw new DirectoryLostException("it was moved", new IOException("the cause is for nobody"));
        };
        try (Said said = new Said(DirectoryWatch.class);
                DirectoryWatch watch = DirectoryWatch.start(data, lost, halted::add)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> halted.equals(List.of(3)));
            assertEquals(
                    List.of("it was moved; the process ends, because it cannot go on safely"),
                    said.lines(),
                    watch::toString);
            assertNull(said.events().get(0).getThrowableProxy(), "no stack trace");
        }
    }
}
