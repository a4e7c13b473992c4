package org.idallocator.zk.znode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.store.SimulatedClock;
import org.junit.jupiter.api.Test;

/** No two writes have the same bits, also where the system's random bits are those of a machine that was copied. */
final class WriteBitsTest {
    private static Clock clock(long nanos, long micros) {
        SimulatedClock clock = new SimulatedClock(() -> nanos, 0, () -> {});
        clock.off(micros);
        return clock;
    }

    @Test
    void shouldDifferAtEachDrawWhereClocksStand() {
        Clock stopped = clock(0, 0);
        WriteBits bits = new WriteBits(stopped);
        Set<Long> drawn = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            drawn.add(bits.getAsLong());
            drawn.add(new WriteBits(stopped).getAsLong());
        }
        assertEquals(2_000, drawn.size());
    }

    @Test
    void shouldDifferWhereOneOfTheClocksDoes() {
        Set<Long> drawn = new HashSet<>();
        for (int nanos = 0; nanos < 100; nanos++) {
            for (int micros = 0; micros < 100; micros++) {
                drawn.add(new WriteBits(() -> 42, clock(nanos, micros)).getAsLong());
            }
        }
        assertEquals(10_000, drawn.size());
    }
}
