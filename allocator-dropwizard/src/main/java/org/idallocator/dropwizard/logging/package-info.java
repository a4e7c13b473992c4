/**
 * How the log treats failures that come again and again, and messages that strangers cause; and how to close what was
 * opened before a failure.
 */
@NullMarked
package org.idallocator.dropwizard.logging;

import org.jspecify.annotations.NullMarked;
