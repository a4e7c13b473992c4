/** What calls cost inside one process, and how much generators give at the limits of their specifications. */
@NullMarked
package org.idallocator.bench.calls;

import org.jspecify.annotations.NullMarked;
