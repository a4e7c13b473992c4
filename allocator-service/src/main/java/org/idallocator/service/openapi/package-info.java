/** The description of the routes in OpenAPI's words, made from the schemes, the shapes of answers and the problems. */
@NullMarked
package org.idallocator.service.openapi;

import org.jspecify.annotations.NullMarked;
