/** A ZooKeeper inside this process, for a machine of its own. */
@NullMarked
package org.idallocator.service.embedded;

import org.jspecify.annotations.NullMarked;
