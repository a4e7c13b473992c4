package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads draw from an eightbyte generator of one ID a millisecond, and a third draw comes after both. No two IDs
 * in a row start with the same byte, and milliseconds that are a multiple of 256 apart have the same first byte.
 */
public class OnePerMillisecondStress {

    /** The generator that both threads draw from. */
    @State
    public static class OnePerMillisecond {
        private final EightByteGenerator generator = Sequences.onePerMillisecond();

        /**
         * Draws one ID while the clock reads {@code ms}, and returns the ID's millisecond; -1 when the caller must
         * wait.
         */
        int drawAt(long ms) {
            Sequences.show(ms * 1_000);
            Taken taken = generator.take(1, false);
            return taken.count() == 0 ? Sequences.WAIT : (int) taken.tick();
        }
    }

    /** Both draw in one millisecond: one of them must wait, and so must the third draw. */
    @JCStressTest
    @Outcome(id = "5, -1, -1", expect = ACCEPTABLE, desc = "The first actor got the one ID.")
    @Outcome(id = "-1, 5, -1", expect = ACCEPTABLE, desc = "The second actor got the one ID.")
    public static class SameMillisecond {

        @Actor
        public void first(OnePerMillisecond ids, III_Result r) {
            r.r1 = ids.drawAt(5);
        }

        @Actor
        public void second(OnePerMillisecond ids, III_Result r) {
            r.r2 = ids.drawAt(5);
        }

        @Arbiter
        public void after(OnePerMillisecond ids, III_Result r) {
            r.r3 = ids.drawAt(5);
        }
    }

    /** The two draw 256 ms apart: one of them issues, and the third draw, another 256 ms later, does not. */
    @JCStressTest
    @Outcome(id = "5, -1, -1", expect = ACCEPTABLE, desc = "The earlier first; the later one is passed over.")
    @Outcome(id = "-1, 261, -1", expect = ACCEPTABLE, desc = "The later one first: a clock behind it must wait.")
    public static class SameFirstByte {

        @Actor
        public void first(OnePerMillisecond ids, III_Result r) {
            r.r1 = ids.drawAt(5);
        }

        @Actor
        public void second(OnePerMillisecond ids, III_Result r) {
            r.r2 = ids.drawAt(261);
        }

        @Arbiter
        public void after(OnePerMillisecond ids, III_Result r) {
            r.r3 = ids.drawAt(517);
        }
    }

    /**
     * The two draw in neighbouring milliseconds. In either order, the later millisecond is the last one used before the
     * third draw, which has the same first byte.
     */
    @JCStressTest
    @Outcome(id = "5, 6, -1", expect = ACCEPTABLE, desc = "Both issued in order; the third draw is passed over.")
    @Outcome(id = "-1, 6, -1", expect = ACCEPTABLE, desc = "The later one first: a clock behind it must wait.")
    public static class NeighbouringMilliseconds {

        @Actor
        public void first(OnePerMillisecond ids, III_Result r) {
            r.r1 = ids.drawAt(5);
        }

        @Actor
        public void second(OnePerMillisecond ids, III_Result r) {
            r.r2 = ids.drawAt(6);
        }

        @Arbiter
        public void after(OnePerMillisecond ids, III_Result r) {
            r.r3 = ids.drawAt(262);
        }
    }
}
