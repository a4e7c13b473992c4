package org.idallocator.core.clock;

import java.time.Duration;
import java.time.Instant;

/**
 * A scheme's own unit of time: ticks of {@code tickMicros} microseconds, counted from 0 at {@code epochMicros} up to
 * {@link #maxTick}, inclusive. A tick includes its start and excludes its end. Immutable.
 *
 * @param epochMicros start of tick 0, in microseconds since 1970-01-01T00:00:00Z
 * @param tickMicros length of a tick, 1 or more
 * @param bits width of the scheme's time field, 1..62
 */
public record TickUnit(long epochMicros, long tickMicros, int bits) {

    /** The last tick that the time field can hold, inclusive. */
    public long maxTick() {
        return (1L << bits) - 1;
    }

    /** The tick that contains a wall time; negative before the epoch, above {@link #maxTick} after the field's end. */
    public long tickAt(long micros) {
        return Math.floorDiv(micros - epochMicros, tickMicros);
    }

    /** The start of a tick, in microseconds since 1970-01-01T00:00:00Z. */
    public long microsAt(long tick) {
        return epochMicros + tick * tickMicros;
    }

    /** The start of a tick. */
    public Instant instantAt(long tick) {
        long micros = microsAt(tick);
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000);
    }

    /** The first tick that starts at or after a wall time. */
    public long firstTickFrom(long micros) {
        return -Math.floorDiv(epochMicros - micros, tickMicros);
    }

    /** A duration in ticks, rounded up; at least 1. */
    public long ticksIn(Duration duration) {
        return Math.max(1, -Math.floorDiv(-duration.toNanos(), tickMicros * 1_000));
    }

    /** Nanoseconds from a wall time to the start of a tick; 0 when that is past, at most {@link Long#MAX_VALUE}. */
    public long nanosUntil(long tick, long nowMicros) {
        long micros = microsAt(tick) - nowMicros;
        return micros <= 0 ? 0 : micros > Long.MAX_VALUE / 1_000 ? Long.MAX_VALUE : micros * 1_000;
    }
}
