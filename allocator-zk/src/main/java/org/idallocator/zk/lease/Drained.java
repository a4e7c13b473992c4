package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FencedException;

/**
 * What a drain has done so far. Nothing is issued, unless this replica was resumed meanwhile.
 *
 * @param slots the slots that this replica held when it was drained, or still had to give back; none where all were
 *     given back before
 * @param givenBack whether all of them are given back; if not, and it was not resumed, the replica goes on trying
 * @param resumed whether this replica was resumed before all of them were given back: it is not drained any more
 * @param hindrance why the last try has not given all back: a state such as {@code meta-gone}, or what ZooKeeper
 *     refuses of single slots, by name; empty where all are given back, or nothing is known
 */
public record Drained(List<HeldSlot> slots, boolean givenBack, boolean resumed, Optional<FencedException> hindrance) {}
