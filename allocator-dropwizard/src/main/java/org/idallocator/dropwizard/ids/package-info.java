/**
 * Drawing IDs straight into the bytes of an answer. This package knows nothing of HTTP, so that others than Jersey may
 * use it.
 */
@NullMarked
package org.idallocator.dropwizard.ids;

import org.jspecify.annotations.NullMarked;
