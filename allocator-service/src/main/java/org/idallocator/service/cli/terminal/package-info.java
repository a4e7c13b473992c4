/** What commands write to and what they say when they fail. */
@NullMarked
package org.idallocator.service.cli.terminal;

import org.jspecify.annotations.NullMarked;
