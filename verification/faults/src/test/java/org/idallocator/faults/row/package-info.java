/** The rows: one file per fault, with what it does and what must come of it. */
@NullMarked
package org.idallocator.faults.row;

import org.jspecify.annotations.NullMarked;
