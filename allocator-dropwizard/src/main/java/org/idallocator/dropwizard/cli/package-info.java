/** The commands that come with the bundle. */
@NullMarked
package org.idallocator.dropwizard.cli;

import org.jspecify.annotations.NullMarked;
