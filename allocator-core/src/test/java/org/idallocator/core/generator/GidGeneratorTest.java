package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GidGeneratorTest {
    private static final long NOW_MS = 1_700_000_000_123L;

    private final ScriptedClock clock = new ScriptedClock(NOW_MS * 1_000 + 999);
    private final AtomicLong random = new AtomicLong(-2);
    private final GidGenerator generator = new GidGenerator(random::getAndIncrement, clock);
    private final List<Gid> ids = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void shouldBeOfTypeTimeAndRandomWhenDrawn(GidType type) {
        assertEquals(Draw.all(3), draw(3, GidGenerator.type(type)));

        assertEquals(List.of(Gid.of(type, NOW_MS, -2), Gid.of(type, NOW_MS, -1), Gid.of(type, NOW_MS, 0)), ids);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeTheSameWhenOneIsDrawn(GidType type) {
        assertEquals(Gid.of(type, NOW_MS, -2), generator.drawOne(GidGenerator.type(type), Gid::ofBits));
    }

    @Test
    void shouldFollowClockWhenItStepsBack() {
        draw(1, GidGenerator.type(GidType.LOG));
        clock.setMicros(0);
        draw(1, GidGenerator.type(GidType.LOG));

        assertEquals(0, ids.get(1).timestampMs());
    }

    @Test
    void shouldBeDueNowWhenClockWasAhead() {
        draw(1, GidGenerator.type(GidType.LOG));

        assertEquals(NOW_MS - 3_600_000, generator.dueTick(NOW_MS - 3_600_000));
        assertEquals(0, generator.dueTick(0));
    }

    private Draw draw(int count, Variant variant) {
        return Draw.of(generator, count, variant, (high, low) -> ids.add(Gid.ofBits(high, low)));
    }
}
