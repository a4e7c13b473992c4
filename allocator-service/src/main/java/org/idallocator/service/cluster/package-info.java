/** What ZooKeeper last showed of the whole cluster, for all who show it without waiting for ZooKeeper. */
@NullMarked
package org.idallocator.service.cluster;

import org.jspecify.annotations.NullMarked;
