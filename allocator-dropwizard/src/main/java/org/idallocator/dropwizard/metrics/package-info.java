/**
 * What the allocator counts and measures, for Prometheus and in Dropwizard's own registry. Code that draws, renews or
 * answers only adds to a counter; all other values are read when somebody scrapes.
 */
@NullMarked
package org.idallocator.dropwizard.metrics;

import org.jspecify.annotations.NullMarked;
