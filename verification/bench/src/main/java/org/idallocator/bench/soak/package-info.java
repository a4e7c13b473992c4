/** The shipped cluster under load for long, while one replica after the other is replaced. */
@NullMarked
package org.idallocator.bench.soak;

import org.jspecify.annotations.NullMarked;
