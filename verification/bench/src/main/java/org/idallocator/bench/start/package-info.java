/** How soon programs answer. */
@NullMarked
package org.idallocator.bench.start;

import org.jspecify.annotations.NullMarked;
