/**
 * Which epoch it is: the incarnation of the root and the generation of each pool, where their floors are, and the time of ZooKeeper
 * from which floors are counted. Replicas and operators share it.
 */
@NullMarked
package org.idallocator.zk.epoch;

import org.jspecify.annotations.NullMarked;
