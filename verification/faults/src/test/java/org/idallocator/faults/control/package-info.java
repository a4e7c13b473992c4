/** The control: what the harness must find duplicates in, or it proves nothing. */
@NullMarked
package org.idallocator.faults.control;

import org.jspecify.annotations.NullMarked;
