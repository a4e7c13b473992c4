/** Tests of what keeps strangers from the admin port. */
@NullMarked
package org.idallocator.service.guard;

import org.jspecify.annotations.NullMarked;
