/** Clients that ask for IDs without pause, and remember every answer. */
@NullMarked
package org.idallocator.faults.load;

import org.jspecify.annotations.NullMarked;
