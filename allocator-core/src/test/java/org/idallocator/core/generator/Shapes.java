package org.idallocator.core.generator;

import java.util.stream.Stream;
import org.idallocator.core.clock.TickUnit;

/** The schemes' shapes, and smaller ones, on ticks of one microsecond from 0, so that a test's clock reads ticks. */
final class Shapes {
    static final TickUnit MICROS = new TickUnit(0, 1, 40);

    private Shapes() {}

    static SequenceShape plain(int capacity) {
        return SequenceShape.plain(MICROS, capacity);
    }

    static SequenceShape continuing(int capacity) {
        return SequenceShape.continuing(MICROS, capacity);
    }

    static SequenceShape tickTocking(int capacity) {
        return SequenceShape.tickTocking(new TickUnit(0, 1, 39), capacity);
    }

    static SequenceShape spanning(int ticks) {
        return SequenceShape.spanning(MICROS, ticks);
    }

    /** How sno (a whole partition and the smallest shard), eightbyte, uid60 and muid count. */
    static Stream<SequenceShape> all() {
        return Stream.of(
                tickTocking(65_536),
                tickTocking(SnoRange.SMALLEST),
                plain(64),
                continuing(1_024),
                spanning(MuidGenerator.MICROS_AT_ONCE));
    }
}
