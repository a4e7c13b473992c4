package org.idallocator.zk.lease;

import java.util.List;

/**
 * What a drain has done so far. Nothing is issued in any case.
 *
 * @param slots the slots that this replica held when it was drained
 * @param givenBack whether all of them are given back; if not, ZooKeeper has not answered yet, and the replica goes on trying
 */
public record Drained(List<HeldSlot> slots, boolean givenBack) {}
