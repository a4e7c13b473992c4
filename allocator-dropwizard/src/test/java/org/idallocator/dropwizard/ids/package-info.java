/** What single classes of drawing do, without a service around them. */
@NullMarked
package org.idallocator.dropwizard.ids;

import org.jspecify.annotations.NullMarked;
