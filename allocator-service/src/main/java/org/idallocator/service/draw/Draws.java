package org.idallocator.service.draw;

import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;

/**
 * How IDs of one scheme are drawn.
 *
 * @param generator draws them
 * @param chunk how many are drawn at a time, 1 or more: at most what a tick holds, or what the ticks of a millisecond hold together
 *     where ticks are shorter, and never more than {@value #MOST}. Whether somebody waits for them is asked after so many, and
 *     whenever a tick gave fewer
 * @param slow whether one slot gives so few a second that a client should not wait until they fill a buffer: fewer than {@value #MOST}
 * @param listener hears of every answer
 * @param admission who may draw now
 */
record Draws(IdGenerator<? extends Id> generator, int chunk, boolean slow, DrawListener listener, Admission admission) {
    private static final int MOST = 4_096;
    private static final long MILLI_MICROS = 1_000;

    static Draws of(Scheme<?> scheme, IdGenerator<? extends Id> generator, DrawListener listener, Admission admission) {
        return new Draws(generator, chunk(scheme), scheme.idsPerSecond() < MOST, listener, admission);
    }

    /** What a tick holds, or a whole millisecond where ticks are shorter, {@value #MOST} at most. */
    private static int chunk(Scheme<?> scheme) {
        long ticks = Math.max(1, MILLI_MICROS / scheme.unit().tickMicros());
        return (int) Math.min(MOST, Math.min(MOST, scheme.idsPerTick()) * ticks);
    }
}
