/** The shapes of the answers over HTTP, a record for each. */
@NullMarked
package org.idallocator.dropwizard.api;

import org.jspecify.annotations.NullMarked;
