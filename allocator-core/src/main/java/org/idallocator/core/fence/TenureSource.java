package org.idallocator.core.fence;

/**
 * The port that leases come through. What {@link #current} returns is bounded by a {@link Fence} whose range of ticks no
 * other tenure of the slot ever gets, so using it late, or from a paused thread, cannot make two IDs equal. Thread-safe;
 * never blocks.
 *
 * @param <G> what a tenure opens: a generator
 */
@FunctionalInterface
public interface TenureSource<G> {

    /**
     * What the serving tenure opened.
     *
     * @throws FencedException when no tenure serves
     */
    G current();
}
