/** Replicas under load for long, while one after the other is replaced. */
@NullMarked
package org.idallocator.bench.soak;

import org.jspecify.annotations.NullMarked;
