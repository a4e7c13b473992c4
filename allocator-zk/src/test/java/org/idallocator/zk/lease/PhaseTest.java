package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.Bench.Replicated;
import org.junit.jupiter.api.Test;

/** The phases of a tenure: one leads to the next, and what has ended stays so. */
final class PhaseTest {
    private final FencedException taken = FencedException.of(FenceReason.LEASE_GONE, "an operator took it");

    private final Bench bench = new Bench();
    private final Replicated replica = bench.replica("a", Bench.sno(1));

    @Test
    void shouldLeadToNothingButTheNextPhases() {
        Map<Phase, List<Phase>> next = Map.of(
                Phase.CLAIMING, List.of(Phase.SERVING, Phase.CLOSED, Phase.GONE),
                Phase.SERVING, List.of(Phase.FENCED),
                Phase.FENCED, List.of(Phase.CLOSED),
                Phase.CLOSED, List.of(Phase.GONE),
                Phase.GONE, List.of());
        for (Phase phase : Phase.values()) {
            assertEquals(
                    next.get(phase),
                    Stream.of(Phase.values()).filter(phase::leadsTo).toList(),
                    phase::toString);
        }
    }

    @Test
    void shouldGoThroughAllOfThemWhenClaimedServedTakenAndReleased() {
        replica.step();
        Tenure tenure = replica.tenure();
        assertEquals(Phase.SERVING, tenure.phase());
        tenure.fence().trip(taken);
        assertEquals(Phase.SERVING, tenure.phase(), "the lease loop has not seen it");
        replica.step();
        assertEquals(Phase.GONE, tenure.phase());
        assertEquals(Phase.SERVING, replica.tenure().phase(), "the next one");
    }

    @Test
    void shouldNotServeAgainWhenFenced() {
        replica.step();
        Tenure tenure = replica.tenure();
        assertEquals(taken, tenure.end(taken));
        assertThrows(IllegalStateException.class, tenure::serve);
        tenure.close();
        assertThrows(IllegalStateException.class, tenure::serve);
        assertThrows(IllegalStateException.class, () -> tenure.end(taken));
    }

    /** A release that gets no answer is tried again, and closes what is closed. */
    @Test
    void shouldStayClosedWithTheSameLastTickWhenClosedAgain() {
        replica.step();
        assertEquals(1, replica.draw(1));
        Tenure tenure = replica.tenure();
        var unused = tenure.end(taken);
        tenure.close();
        OptionalLong last = tenure.lastUsedTick();
        tenure.close();
        assertEquals(Phase.CLOSED, tenure.phase());
        assertEquals(OptionalLong.of(tenure.slot().unit().tickAt(replica.clock.micros())), last);
        assertEquals(last, tenure.lastUsedTick());
    }
}
