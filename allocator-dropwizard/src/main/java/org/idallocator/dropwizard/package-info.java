/**
 * The allocator as a bundle for Dropwizard programs: all that the service has, too, but for the service's own server.
 */
@NullMarked
package org.idallocator.dropwizard;

import org.jspecify.annotations.NullMarked;
