/** Tests of the embedded ZooKeeper from within. */
@NullMarked
package org.idallocator.dropwizard.embedded;

import org.jspecify.annotations.NullMarked;
