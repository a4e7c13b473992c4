package org.idallocator.core.generator;

import java.time.Instant;

/**
 * That callers wait because a tick is used up. When {@code ticks} goes on rising, this is no burst: more is asked for than
 * there is.
 *
 * @param now start of the tick in which a caller had to wait last
 * @param waiting how many callers are in the midst of a call that had to wait; 0 when they have gone on meanwhile
 * @param ticks how many ticks this overflow has lasted by the wall clock, 1 or more
 */
public record Overflow(Instant now, int waiting, long ticks) {}
