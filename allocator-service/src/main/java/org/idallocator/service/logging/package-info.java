/** How the log is written, how it hears of failures that come again and again, and how what was opened before one is closed. */
@NullMarked
package org.idallocator.service.logging;

import org.jspecify.annotations.NullMarked;
