package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.security.SecureRandom;
import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads of one stripe draw a random number each, and a third number is drawn after both: no two are equal, none
 * was erased.
 */
@JCStressTest
@Outcome(id = "3", expect = ACCEPTABLE, desc = "Three numbers.")
@Outcome(expect = FORBIDDEN, desc = "A number was given twice, or given when it was erased.")
@State
public class RandomBitsStress {
    private static final SecureRandom SOURCE = new SecureRandom();
    private static final long ERASED = 0;

    private final RandomBits bits = new RandomBits(SOURCE);
    private long one;
    private long two;

    public RandomBitsStress() {
        bits.number(0); // the stripe has a block now
    }

    @Actor
    public void first() {
        one = bits.number(0);
    }

    @Actor
    public void second() {
        two = bits.number(0);
    }

    @Arbiter
    public void after(I_Result r) {
        r.r1 = (int) LongStream.of(one, two, bits.number(0))
                .filter(number -> number != ERASED)
                .distinct()
                .count();
    }
}
