/** Texts that people wrote: the forms of IDs, how an ID is read, and what a text of unknown origin may be. */
@NullMarked
package org.idallocator.dropwizard.decode;

import org.jspecify.annotations.NullMarked;
