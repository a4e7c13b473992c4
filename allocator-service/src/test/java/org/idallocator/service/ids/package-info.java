/** What single classes of drawing do, without a service around them. */
@NullMarked
package org.idallocator.service.ids;

import org.jspecify.annotations.NullMarked;
