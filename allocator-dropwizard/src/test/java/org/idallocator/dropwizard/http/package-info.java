/** Tests of what is said over HTTP. */
@NullMarked
package org.idallocator.dropwizard.http;

import org.jspecify.annotations.NullMarked;
