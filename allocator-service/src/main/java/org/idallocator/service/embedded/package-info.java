/** A ZooKeeper inside this process, for a replica that runs alone. */
@NullMarked
package org.idallocator.service.embedded;

import org.jspecify.annotations.NullMarked;
