/** How exceptions are told to callers and to the log. */
@NullMarked
package org.idallocator.service.errors;

import org.jspecify.annotations.NullMarked;
