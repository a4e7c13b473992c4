/** The one place that turns an exception into an answer. */
@NullMarked
package org.idallocator.service.errors;

import org.jspecify.annotations.NullMarked;
