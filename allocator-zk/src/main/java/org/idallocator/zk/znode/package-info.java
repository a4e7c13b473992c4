/** The tree in ZooKeeper, drawn once, and what its nodes hold, as JSON. */
@NullMarked
package org.idallocator.zk.znode;

import org.jspecify.annotations.NullMarked;
