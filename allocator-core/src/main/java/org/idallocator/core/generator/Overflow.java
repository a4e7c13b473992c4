package org.idallocator.core.generator;

import java.time.Instant;

/**
 * The state of an overflow: callers wait because a tick is used up. When {@code ticks} keeps rising, this is no burst,
 * but callers ask for more IDs than there are.
 *
 * @param now start of the last tick in which a caller had to wait
 * @param waiting how many callers wait for the next tick; 0 when all of them have gone on meanwhile
 * @param ticks how many ticks the overflow has lasted by the wall clock, 1 or more
 */
public record Overflow(Instant now, int waiting, long ticks) {}
