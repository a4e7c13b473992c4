/** Programs that a benchmark starts as processes of their own, and asks over HTTP. */
@NullMarked
package org.idallocator.bench.process;

import org.jspecify.annotations.NullMarked;
