/**
 * Whole clusters in one thread: real replicas and operators on simulated clocks, networks and a simulated ZooKeeper, under faults that
 * a seed chooses, and a ledger that sees every ID.
 */
@NullMarked
package org.idallocator.zk.simulation;

import org.jspecify.annotations.NullMarked;
