/** Turns exceptions into answers over HTTP, in one place. */
@NullMarked
package org.idallocator.dropwizard.problems;

import org.jspecify.annotations.NullMarked;
