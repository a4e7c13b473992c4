package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.clock.Clock;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
    private final AtomicInteger ends = new AtomicInteger();
    private long nowMillis = 5_000;
    private long collectedMillis = 700;
    private final MemoryWatch watch = new MemoryWatch(new ManualClock(), () -> collectedMillis, ends::incrementAndGet);

    private final class ManualClock implements Clock {
        @Override
        public long micros() {
            return nowMillis * 1_000;
        }

        @Override
        public long nanos() {
            return nowMillis * 1_000_000;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    private void pass(int seconds, int collectingMillisPerSecond) {
        for (int i = 0; i < seconds; i++) {
            nowMillis += 1_000;
            collectedMillis += collectingMillisPerSecond;
            watch.look();
        }
    }

    @Test
    void shouldEndTheProcessWhenItDoesNothingButCollect() {
        pass(19, 950);
        assertEquals(0, ends.get());

        pass(1, 950);
        assertEquals(1, ends.get());
    }

    @Test
    void shouldLetTheProcessBeWhenItAlsoDoesSomethingElse() {
        pass(200, 890);
        assertEquals(0, ends.get());
    }

    @Test
    void shouldLetTheProcessBeWhenCollectionsTakeLongForAWhile() {
        for (int i = 0; i < 10; i++) {
            pass(10, 1_000);
            pass(10, 100);
        }
        assertEquals(0, ends.get());
    }
}
