package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/**
 * One thread draws at the instant of the deadline, 10, and reads the deadline afterwards; another moves the deadline to
 * 20. A draw issues only before the deadline that is read afterwards. A draw that comes too late trips the fence for
 * good.
 */
@JCStressTest
@Outcome(id = "500, 20, true, 501", expect = ACCEPTABLE, desc = "Extended, then drawn: the new deadline counts.")
@Outcome(id = "-2, 10, false, -2", expect = ACCEPTABLE, desc = "The deadline passed first; it is not moved any more.")
@Outcome(id = "-2, 10, true, -2", expect = ACCEPTABLE, desc = "Tripped after extend found it open, before it moved.")
@Outcome(id = "-2, 20, true, -2", expect = ACCEPTABLE, desc = "The deadline moved after the draw had met the old one.")
@State
public class DeadlineStress {
    private final ScriptedClock clock = new ScriptedClock(4); // parked for 10 ns, it is in tick 5
    private final Fence fence = new Fence(clock, Sequences.FLOOR, 1_000, 10);
    private final TickSequence sequence = Sequences.plain(4, fence);

    @Actor
    public void draws(LLLL_Result r) {
        clock.park(10);
        r.r1 = Sequences.take(sequence, 5, 1);
        r.r2 = fence.deadlineNanos();
    }

    @Actor
    public void renews(LLLL_Result r) {
        r.r3 = fence.extend(1_000, 20);
    }

    @Arbiter
    public void after(LLLL_Result r) {
        r.r4 = Sequences.take(sequence, 5, 1);
    }
}
