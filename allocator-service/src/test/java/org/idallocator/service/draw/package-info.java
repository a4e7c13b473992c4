/** What single classes of drawing do, without a service around them. */
@NullMarked
package org.idallocator.service.draw;

import org.jspecify.annotations.NullMarked;
