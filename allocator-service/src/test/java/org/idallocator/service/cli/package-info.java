/** Tests of the parts of commands. */
@NullMarked
package org.idallocator.service.cli;

import org.jspecify.annotations.NullMarked;
