package org.idallocator.zk.lease;

import java.time.Duration;

/**
 * How far a slot that this replica holds is from being fenced, at the moment of asking. Each renewal moves both ends on.
 *
 * @param scheme the scheme's name
 * @param slot the slot's name
 * @param lead how far the end of the last tick reserved is ahead of this replica's clock; negative where the clock is past it
 * @param untilDeadline how long until the deadline, on the monotonic clock; negative where it has passed
 */
public record SlotMargin(String scheme, String slot, Duration lead, Duration untilDeadline) {}
