/** The routes. Each reads a request, has it done, and answers. */
@NullMarked
package org.idallocator.dropwizard.resources;

import org.jspecify.annotations.NullMarked;
