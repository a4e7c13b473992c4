/** The one place that turns an exception into an answer over HTTP. */
@NullMarked
package org.idallocator.service.errors;

import org.jspecify.annotations.NullMarked;
