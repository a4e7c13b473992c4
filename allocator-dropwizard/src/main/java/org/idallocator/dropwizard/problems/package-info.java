/** What a caller is told of an exception: the one place that turns one into an answer over HTTP. */
@NullMarked
package org.idallocator.dropwizard.problems;

import org.jspecify.annotations.NullMarked;
