package org.idallocator.core.generator;

/** Looks at how much of a generator's sequence is used, and changes nothing. */
public final class SequenceView {
    private final TickSequence sequence;

    private SequenceView(TickSequence sequence) {
        this.sequence = sequence;
    }

    /** The view of a generator that draws from a sequence. */
    public static SequenceView of(Generator generator) {
        return new SequenceView(((SequencedGenerator) generator).sequence);
    }

    /**
     * What is used: the first {@code used} numbers of {@code tick} on this timeline, and nothing above {@code safe} on
     * the other.
     *
     * @param line the timeline: whether the clock stepped back an odd number of times
     */
    public record Used(long tick, boolean line, long used, long safe) {

        /** The last tick that is used, on either timeline. */
        public long last() {
            return Math.max(safe, used == 0 ? tick - 1 : tick);
        }
    }

    /** What is used now; of a closed generator, what was used at last. */
    public Used used() {
        TickSequence.Snapshot now = sequence.snapshot();
        return new Used(now.tick(), now.stepsBack() % 2 != 0, now.used(), now.wallSafe());
    }

    /** Of a snapshot: what it says is used. */
    public static Used used(SnoSnapshot snapshot) {
        return new Used(snapshot.wallHi(), snapshot.drifts() % 2 != 0, snapshot.used(), snapshot.wallSafe());
    }
}
