/** How IDs are written: the text forms that callers may use, and how what they wrote is read. */
@NullMarked
package org.idallocator.service.text;

import org.jspecify.annotations.NullMarked;
