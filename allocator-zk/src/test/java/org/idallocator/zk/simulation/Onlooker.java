package org.idallocator.zk.simulation;

import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.Store;

/**
 * Sees all that happens in a {@link Simulation}, and changes nothing of it: with and without it, a seed gives the same
 * run.
 */
interface Onlooker {
    /** Sees nothing. */
    Onlooker NONE = new Onlooker() {};

    /**
     * A run begins.
     *
     * @param trueMillis tells the true time
     * @param leaderMillis tells the time of ZooKeeper's leader
     */
    default void begins(SimulatedZooKeeper zookeeper, LongSupplier trueMillis, LongSupplier leaderMillis) {}

    /**
     * A process begins that reserves by these terms, on a machine with this clock. Returns the store that it is to use.
     */
    default Store before(Store store, Clock clock, Terms terms) {
        return store;
    }

    /** A generator was opened for the slot of this record, on the machine of the fence's clock. */
    default void opened(String record, Fence fence, Generator generator) {}

    /** A thread has paused: before this, and after the pause before it, no other thread has done anything. */
    default void look() {}
}
