/**
 * The only package that reads clocks: wall time in microseconds, monotonic time in nanoseconds, and time cut into
 * ticks.
 */
@NullMarked
package org.idallocator.core.clock;

import org.jspecify.annotations.NullMarked;
