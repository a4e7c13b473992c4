package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.idallocator.core.fence.Fence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/**
 * One thread draws one tick above the ceiling and reads the ceiling afterwards; another moves the ceiling to that tick.
 * A draw issues only what the ceiling that is read afterwards covers. A draw above the ceiling trips the fence for
 * good.
 */
@JCStressTest
@Outcome(id = "600, 6, true, 601", expect = ACCEPTABLE, desc = "Extended, then drawn: the new ceiling is usable.")
@Outcome(id = "-2, 5, false, -2", expect = ACCEPTABLE, desc = "Drawn, which tripped the fence; extending did nothing.")
@Outcome(id = "-2, 5, true, -2", expect = ACCEPTABLE, desc = "Tripped after extend found it open, before it moved.")
@Outcome(id = "-2, 6, true, -2", expect = ACCEPTABLE, desc = "The ceiling moved after the draw had met the old one.")
@State
public class ExtendStress {
    private final Fence fence = Sequences.open(5);
    private final TickSequence sequence = Sequences.plain(4, fence);

    @Actor
    public void draws(LLLL_Result r) {
        r.r1 = Sequences.take(sequence, 6, 1);
        r.r2 = fence.ceilingTick();
    }

    @Actor
    public void renews(LLLL_Result r) {
        r.r3 = fence.extend(6, 1);
    }

    @Arbiter
    public void after(LLLL_Result r) {
        r.r4 = Sequences.take(sequence, 6, 1);
    }
}
