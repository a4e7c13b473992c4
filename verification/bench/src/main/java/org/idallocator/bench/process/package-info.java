/** Programs that a benchmark starts as processes of their own, and clients that ask them over HTTP. */
@NullMarked
package org.idallocator.bench.process;

import org.jspecify.annotations.NullMarked;
