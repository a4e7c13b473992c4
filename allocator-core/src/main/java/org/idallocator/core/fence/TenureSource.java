package org.idallocator.core.fence;

/**
 * The port through which leases come. A {@link Fence} bounds what {@link #current} returns, and no other tenure of the
 * slot ever gets the fence's range of ticks. So using the result late, or from a paused thread, cannot make two IDs
 * equal. Thread-safe; never blocks.
 *
 * @param <G> what a tenure opens: a generator
 */
@FunctionalInterface
public interface TenureSource<G> {

    /**
     * What the serving tenure has opened.
     *
     * @throws FencedException when no tenure serves
     */
    G current();
}
