/**
 * How the log hears of failures that come again and again, and how what was opened before one is closed. What callers are told is
 * in {@code problems}.
 */
@NullMarked
package org.idallocator.service.failures;

import org.jspecify.annotations.NullMarked;
