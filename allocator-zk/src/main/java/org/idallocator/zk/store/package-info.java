/** The few operations on ZooKeeper that leases need, and how Curator does them. */
@NullMarked
package org.idallocator.zk.store;

import org.jspecify.annotations.NullMarked;
