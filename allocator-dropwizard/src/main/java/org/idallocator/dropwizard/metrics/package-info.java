/**
 * What the allocator counts and measures, for Prometheus and in Dropwizard's own registry. Whoever draws, renews or
 * answers only adds to a counter; all else is asked when somebody scrapes.
 */
@NullMarked
package org.idallocator.dropwizard.metrics;

import org.jspecify.annotations.NullMarked;
