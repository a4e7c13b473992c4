/** Tests of the parts of commands. */
@NullMarked
package org.idallocator.dropwizard.cli;

import org.jspecify.annotations.NullMarked;
