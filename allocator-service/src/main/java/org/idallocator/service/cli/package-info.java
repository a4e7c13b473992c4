/** The commands that come with the bundle. */
@NullMarked
package org.idallocator.service.cli;

import org.jspecify.annotations.NullMarked;
