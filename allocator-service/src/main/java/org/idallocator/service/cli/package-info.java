/** The commands of the one jar. */
@NullMarked
package org.idallocator.service.cli;

import org.jspecify.annotations.NullMarked;
