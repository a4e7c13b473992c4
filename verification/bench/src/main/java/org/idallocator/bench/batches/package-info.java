/** Large answers of the service, and what becomes of small ones beside them. */
@NullMarked
package org.idallocator.bench.batches;

import org.jspecify.annotations.NullMarked;
