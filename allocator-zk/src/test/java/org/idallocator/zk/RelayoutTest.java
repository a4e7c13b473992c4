package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.Bench.Replicated;
import org.junit.jupiter.api.Test;

final class RelayoutTest {
    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);

    private void relayout() {
        Relayout.change(bench.zookeeper.connect(), Bench.settings("operator", List.of(sno)), sno, true);
    }

    @Test
    void shouldRefuseWhenNothingIsToBeChanged() {
        bench.replica("a", sno).step();
        assertThrows(RefusedException.class, this::relayout);
    }

    /** Half a deletion: the layout is as configured, but nobody can go on under it. */
    @Test
    void shouldBeginAnewWhenGenerationIsMissing() {
        Replicated replica = bench.replica("a", sno).step();
        long ceiling = replica.tenure().fence().ceilingTick();
        String generation = replica.tenure().generation();
        bench.zookeeper.delete(Bench.TREE.generation(sno.pool().orElseThrow(), generation));
        replica.stepFor(Duration.ofSeconds(5));
        assertEquals(FenceReason.LAYOUT_MISMATCH, replica.reason());
        relayout();
        replica.stepFor(Bench.AHEAD.plusSeconds(1));
        assertTrue(replica.serves());
        assertTrue(replica.tenure().fence().floorTick() > ceiling);
    }
}
