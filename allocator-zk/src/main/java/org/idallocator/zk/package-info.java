/**
 * Leases on slots, through ZooKeeper: the tree drawn once, its nodes as JSON, and the steps of the protocol - choose, judge
 * the clock, claim, resolve, renew, fence, release - as separate small classes around one state machine.
 */
@NullMarked
package org.idallocator.zk;

import org.jspecify.annotations.NullMarked;
