/** Requests as nobody should send them, at random. */
@NullMarked
package org.idallocator.service.fuzz;

import org.jspecify.annotations.NullMarked;
