/** Tests of the description of the routes that need no service. */
@NullMarked
package org.idallocator.service.openapi;

import org.jspecify.annotations.NullMarked;
