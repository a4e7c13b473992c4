/** A Dropwizard application that does nothing, to compare the service with. */
@NullMarked
package org.idallocator.empty;

import org.jspecify.annotations.NullMarked;
