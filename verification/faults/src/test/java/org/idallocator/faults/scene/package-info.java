/** What faults happen to: ZooKeepers, the lines to them, replicas and their clocks, all of them real processes. */
@NullMarked
package org.idallocator.faults.scene;

import org.jspecify.annotations.NullMarked;
