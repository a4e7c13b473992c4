/**
 * A ZooKeeper inside one of the processes that share a directory: the owner of the directory's lock runs it, the others
 * are its clients.
 */
@NullMarked
package org.idallocator.dropwizard.embedded;

import org.jspecify.annotations.NullMarked;
