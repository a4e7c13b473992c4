package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A thread draws an ID of tick 6 from a load balancer of two slots, while one is given back; the other's tick 6 is used
 * up, and tick 5 of that one was used. What close returns, to which the slot's record is set down, counts what was
 * drawn.
 */
@JCStressTest
@Outcome(id = "0, 5, 0", expect = ACCEPTABLE, desc = "Given back before anybody drew from the slot.")
@Outcome(id = "1, 6, 0", expect = ACCEPTABLE, desc = "Drawn, then given back.")
@State
public class LoadBalancerCloseStress {
    private final TickSequence givenBack = Sequences.plain(4);
    private final LoadBalancer balancer;

    public LoadBalancerCloseStress() {
        TickSequence kept = Sequences.plain(1);
        Sequences.take(kept, 6, 1);
        Sequences.take(givenBack, 5, 1);
        balancer = Sequences.balancer(kept, givenBack);
    }

    @Actor
    public void draws(III_Result r) {
        r.r1 = Sequences.draw(balancer, 6);
    }

    @Actor
    public void givesBack(III_Result r) {
        r.r2 = (int) givenBack.close();
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.draw(balancer, 6);
    }
}
