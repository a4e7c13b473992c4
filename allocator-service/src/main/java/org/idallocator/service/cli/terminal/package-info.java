/** What commands read and write, and how they fail. */
@NullMarked
package org.idallocator.service.cli.terminal;

import org.jspecify.annotations.NullMarked;
