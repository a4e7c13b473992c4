package org.idallocator.core.generator;

/**
 * What a sno generator knows, in the words of the original: a sample in time, meant for restoring a closed generator.
 * Times are 4 ms units since 2010-01-01T00:00:00Z.
 *
 * @param partition 0..65535
 * @param range the sequences of this generator
 * @param sequence the sequence last used at {@code wallHi}; above the range it stands for a tick that is used up
 * @param now the clock when the snapshot was taken
 * @param wallHi the time of the last ID, 0 before the first
 * @param wallSafe the highest time used under the other value of the tick-tock bit
 * @param drifts how often the clock stepped back; its lowest bit is the tick-tock bit
 */
public record SnoSnapshot(
        int partition, SnoRange range, int sequence, long now, long wallHi, long wallSafe, long drifts) {

    public SnoSnapshot {
        if (sequence < range.min()) {
            throw new IllegalArgumentException(
                    "sequence must not be below the lower bound " + range.min() + ": " + sequence);
        }
    }

    /** From values as the specification takes them: a sequence of 0 stands for the lower bound. */
    public static SnoSnapshot of(int partition, SnoRange range, int sequence, long wallHi, long wallSafe, long drifts) {
        return new SnoSnapshot(partition, range, sequence == 0 ? range.min() : sequence, 0, wallHi, wallSafe, drifts);
    }

    /** The highest time used under either value of the tick-tock bit. */
    public long lastTick() {
        return Math.max(wallHi, wallSafe);
    }
}
