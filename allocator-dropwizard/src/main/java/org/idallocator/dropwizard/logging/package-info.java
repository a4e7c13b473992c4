/**
 * How the log is written, how it hears of failures that come again and again, or of what strangers do, and how what was
 * opened before a failure is closed.
 */
@NullMarked
package org.idallocator.dropwizard.logging;

import org.jspecify.annotations.NullMarked;
