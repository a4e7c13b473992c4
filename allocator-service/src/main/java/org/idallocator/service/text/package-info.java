/** The text forms of IDs that callers may use, and how a text that a caller wrote is read. */
@NullMarked
package org.idallocator.service.text;

import org.jspecify.annotations.NullMarked;
