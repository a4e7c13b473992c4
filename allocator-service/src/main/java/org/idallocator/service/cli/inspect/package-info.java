/** How {@code inspect} finds out which IDs a text can be, and prints them. */
@NullMarked
package org.idallocator.service.cli.inspect;

import org.jspecify.annotations.NullMarked;
