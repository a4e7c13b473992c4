/** The allocator as a bundle: all that a Dropwizard program adds to itself to have one, and none of the service's own manners. */
@NullMarked
package org.idallocator.service.bundle;

import org.jspecify.annotations.NullMarked;
