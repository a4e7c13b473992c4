/** Replicas in one JVM, on real ensembles that are stopped, cut off and emptied under them. */
@NullMarked
package org.idallocator.ensembles;

import org.jspecify.annotations.NullMarked;
