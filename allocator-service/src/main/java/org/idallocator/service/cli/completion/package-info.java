/** How {@code completion} turns what the commands take into a script for a shell. */
@NullMarked
package org.idallocator.service.cli.completion;

import org.jspecify.annotations.NullMarked;
