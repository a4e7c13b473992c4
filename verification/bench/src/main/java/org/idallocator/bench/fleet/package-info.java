/** How many replicas one ensemble carries. */
@NullMarked
package org.idallocator.bench.fleet;

import org.jspecify.annotations.NullMarked;
