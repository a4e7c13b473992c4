/** Tests of the embedded ZooKeeper from within. */
@NullMarked
package org.idallocator.service.embedded;

import org.jspecify.annotations.NullMarked;
