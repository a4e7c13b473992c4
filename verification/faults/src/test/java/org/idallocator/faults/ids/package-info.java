/** Every ID as a part of a run, on disk if need be; and the exact comparison of all of them. */
@NullMarked
package org.idallocator.faults.ids;

import org.jspecify.annotations.NullMarked;
