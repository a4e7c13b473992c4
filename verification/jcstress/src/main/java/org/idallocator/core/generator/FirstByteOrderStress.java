package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads draw in neighbouring milliseconds. Whichever comes last, the later millisecond is the one before a third draw,
 * whose first byte is that one's.
 */
@JCStressTest
@Outcome(
        id = "5, 6, -1",
        expect = ACCEPTABLE,
        desc = "Both issued in the order of their milliseconds; the third draw is passed over.")
@Outcome(id = "-1, 6, -1", expect = ACCEPTABLE, desc = "The later millisecond first: a clock behind it must wait.")
@State
public class FirstByteOrderStress {
    private final EightByteGenerator generator = Sequences.onePerMillisecond();

    @Actor
    public void first(III_Result r) {
        r.r1 = Sequences.draw(generator, 5);
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = Sequences.draw(generator, 6);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.draw(generator, 262);
    }
}
