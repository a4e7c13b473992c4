/**
 * The rows: {@link org.idallocator.faults.row.Faults} says what each fault does, and its method what must come of it.
 */
@NullMarked
package org.idallocator.faults.row;

import org.jspecify.annotations.NullMarked;
