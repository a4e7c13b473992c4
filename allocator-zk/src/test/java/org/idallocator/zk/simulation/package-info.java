/**
 * Whole clusters, one thread at a time: real replicas and operators on simulated clocks, networks and a simulated
 * ZooKeeper. A seed chooses the faults, and a ledger sees every ID.
 */
@NullMarked
package org.idallocator.zk.simulation;

import org.jspecify.annotations.NullMarked;
