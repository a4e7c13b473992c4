/** Tests of what is said over HTTP. */
@NullMarked
package org.idallocator.service.http;

import org.jspecify.annotations.NullMarked;
