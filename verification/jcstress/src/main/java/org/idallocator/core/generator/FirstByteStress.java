package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads draw 256 ms apart, where the first byte is the same: one of them issues, and a third draw at 512 ms does not. */
@JCStressTest
@Outcome(
        id = "5, -1, -1",
        expect = ACCEPTABLE,
        desc = "The earlier millisecond first: the later one, which has its first byte, is passed over.")
@Outcome(id = "-1, 261, -1", expect = ACCEPTABLE, desc = "The later millisecond first: a clock behind it must wait.")
@State
public class FirstByteStress {
    private final EightByteGenerator generator = Sequences.onePerMillisecond();

    @Actor
    public void first(III_Result r) {
        r.r1 = Sequences.draw(generator, 5);
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = Sequences.draw(generator, 261);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.draw(generator, 517);
    }
}
