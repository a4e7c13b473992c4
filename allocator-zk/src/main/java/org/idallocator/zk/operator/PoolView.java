package org.idallocator.zk.operator;

import java.util.List;

/**
 * A pool as ZooKeeper shows it.
 *
 * @param counts how many of its slots are in which state
 * @param slots those that have a lease or a record, by their names in order; also names that are no slots of the layout
 */
public record PoolView(Counts counts, List<LeaseView> slots) {

    /**
     * How many slots of a pool are in which state; together they are all. They are those of the layout in ZooKeeper,
     * which may differ from the configured one.
     *
     * @param scheme the scheme's name
     * @param size how many slots the pool has, 2 to 2^48
     * @param held how many a replica holds
     * @param free how many can be claimed, and serve at once: mostly never used ones, which {@code slots} does not list
     * @param cooling how many serve later
     * @param retired how many nobody can claim any more
     * @param unreadable how many have a lease or record that cannot be read
     */
    public record Counts(String scheme, long size, long held, long free, long cooling, long retired, long unreadable) {}
}
