/** What single classes of the routes do, without a service around them. */
@NullMarked
package org.idallocator.service.resources;

import org.jspecify.annotations.NullMarked;
