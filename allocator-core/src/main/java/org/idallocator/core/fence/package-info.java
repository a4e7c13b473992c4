/** What bounds a tenure's right to issue IDs, and what callers are told when there is no such right. */
@NullMarked
package org.idallocator.core.fence;

import org.jspecify.annotations.NullMarked;
