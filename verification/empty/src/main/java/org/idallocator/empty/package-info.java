/** A Dropwizard application that has a ZooKeeper and does nothing, to compare the service with. */
@NullMarked
package org.idallocator.empty;

import org.jspecify.annotations.NullMarked;
