package org.idallocator.core.generator;

import java.util.stream.Stream;
import org.idallocator.core.clock.TickUnit;

/** The schemes' shapes on ticks of one microsecond from 0, so that a test's clock reads ticks, and smaller ones. */
final class Shapes {
    static final TickUnit MICROS = new TickUnit(0, 1, 40);

    private Shapes() {}

    static SequenceShape plain(int capacity) {
        return new SequenceShape(MICROS, capacity, false, false, 1);
    }

    static SequenceShape continuing(int capacity) {
        return new SequenceShape(MICROS, capacity, true, false, 1);
    }

    static SequenceShape tickTocking(int capacity) {
        return new SequenceShape(new TickUnit(0, 1, 39), capacity, false, true, 1);
    }

    static SequenceShape spanning(int ticks) {
        return new SequenceShape(MICROS, 1, false, false, ticks);
    }

    /** As sno (whole and in the smallest shard), eightbyte, uid60 and muid count. */
    static Stream<SequenceShape> all() {
        return Stream.of(
                tickTocking(65_536),
                tickTocking(SnoRange.SMALLEST),
                plain(64),
                continuing(1_024),
                spanning(MuidGenerator.MICROS_AT_ONCE));
    }
}
