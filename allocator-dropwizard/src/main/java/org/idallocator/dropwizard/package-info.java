/** The allocator as a bundle: what a Dropwizard program needs to have one, without the manners of the service. */
@NullMarked
package org.idallocator.dropwizard;

import org.jspecify.annotations.NullMarked;
