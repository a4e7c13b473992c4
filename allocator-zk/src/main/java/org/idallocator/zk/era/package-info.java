/**
 * Which era it is: the incarnation of the root and the generation of each pool, their floors, and ZooKeeper's time,
 * from which floors are counted. Replicas and operators share this package, so that neither of theirs imports the
 * other.
 */
@NullMarked
package org.idallocator.zk.era;

import org.jspecify.annotations.NullMarked;
