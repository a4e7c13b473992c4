/** What keeps strangers from the admin port: which names, pages and tokens may do what there. */
@NullMarked
package org.idallocator.service.guard;

import org.jspecify.annotations.NullMarked;
