/** Reads texts that people wrote: IDs in their forms, slots, and texts of unknown origin. */
@NullMarked
package org.idallocator.dropwizard.decode;

import org.jspecify.annotations.NullMarked;
