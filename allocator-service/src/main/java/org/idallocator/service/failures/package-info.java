/** How the log hears of failures that come again and again. */
@NullMarked
package org.idallocator.service.failures;

import org.jspecify.annotations.NullMarked;
