/** Tests of what a running service says over HTTP. */
@NullMarked
package org.idallocator.service.http;

import org.jspecify.annotations.NullMarked;
