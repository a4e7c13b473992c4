package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads draw an object each of one transaction, and a third object comes after both: every offset once, without
 * gaps.
 */
@JCStressTest
@Outcome(id = "1, 2, 3", expect = ACCEPTABLE, desc = "The first actor came first; the later object follows both.")
@Outcome(id = "2, 1, 3", expect = ACCEPTABLE, desc = "The second actor came first; the later object follows both.")
@State
public class TransactionStress {
    private final MuidTransaction transaction = Sequences.transaction();

    @Actor
    public void first(III_Result r) {
        r.r1 = transaction.next().offset();
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = transaction.next().offset();
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = transaction.next().offset();
    }
}
