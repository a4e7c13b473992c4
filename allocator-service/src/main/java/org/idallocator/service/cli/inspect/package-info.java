/** How {@code inspect} finds out what a text or bytes may be, and shows it. */
@NullMarked
package org.idallocator.service.cli.inspect;

import org.jspecify.annotations.NullMarked;
