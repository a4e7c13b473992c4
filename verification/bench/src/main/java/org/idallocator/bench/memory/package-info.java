/** What the service takes of memory. */
@NullMarked
package org.idallocator.bench.memory;

import org.jspecify.annotations.NullMarked;
