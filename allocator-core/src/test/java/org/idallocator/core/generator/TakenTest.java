package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Uid60;
import org.junit.jupiter.api.Test;

/** What was taken is shared among callers in parts, and no two parts may make the same ID. */
class TakenTest {
    private static final long NOW_US = 1_700_000_000_000_000L;

    private final ScriptedClock clock = new ScriptedClock(NOW_US);

    /**
     * The line of callers shares no muids, because a microsecond has fewer than it shares; this does not depend on
     * that.
     */
    @Test
    void shouldRefuseAPartWhenTicksAreSpanned() {
        Generator muids =
                new MuidGenerator(Muid.MIN_MEDALLION, Fence.unbounded(clock, 0, MuidGenerator.UNIT.maxTick()));
        Taken spanning = muids.take(4, false);

        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> spanning.part(0, 2));

        assertEquals(
                "numbers of several ticks cannot be shared: ticks " + (NOW_US - 3) + " to " + NOW_US,
                refused.getMessage());
        assertThrows(IllegalStateException.class, () -> spanning.part(2, 2));
        assertThrows(IllegalStateException.class, () -> spanning.part(0, 4), "whatever the part");
    }

    @Test
    void shouldMakeDifferentIdsOfPartsWhenAllIsOfOneTick() {
        Generator uid60s =
                new Uid60Generator(5, 1_020, () -> 0, Fence.unbounded(clock, 0, Uid60Generator.UNIT.maxTick()));
        Taken taken = uid60s.take(8, false);
        List<Uid60> ids = new ArrayList<>();

        taken.part(0, 3).emit(3, Variant.NONE, (high, low) -> ids.add(new Uid60(high, low)));
        taken.part(3, 5).emit(5, Variant.NONE, (high, low) -> ids.add(new Uid60(high, low)));

        assertEquals(
                List.of(1_020, 1_021, 1_022, 1_023, 0, 1, 2, 3),
                ids.stream().map(Uid60::sequence).toList());
    }
}
