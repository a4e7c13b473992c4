/** Drawing IDs straight into the bytes of an answer, knowing nothing of who asks: Jersey now, a faster way later. */
@NullMarked
package org.idallocator.service.draw;

import org.jspecify.annotations.NullMarked;
