/** The bounds of a tenure's right to issue IDs, and the error for callers when nobody has that right. */
@NullMarked
package org.idallocator.core.fence;

import org.jspecify.annotations.NullMarked;
