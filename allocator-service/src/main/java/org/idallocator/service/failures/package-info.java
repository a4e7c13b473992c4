/** Logging failures that repeat themselves. */
@NullMarked
package org.idallocator.service.failures;

import org.jspecify.annotations.NullMarked;
