package org.idallocator.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Set;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.testing.crac.Core;
import org.junit.jupiter.api.Test;

final class RandomnessTest {
    /** Gids need no slot, so they come at any time, with bits that are in no memory while a checkpoint is made. */
    @Test
    void shouldDrawGidsBeforeDuringAndAfterACheckpoint() {
        Set<VolumeId> drawn = new HashSet<>(LocalIds.onSystemClock().volumes().next(1_000));

        Core.checkpoint(() -> drawn.addAll(LocalIds.onSystemClock().volumes().next(1_000)));

        drawn.addAll(LocalIds.onSystemClock().volumes().next(1_000));
        assertEquals(3_000, drawn.size());
    }
}
