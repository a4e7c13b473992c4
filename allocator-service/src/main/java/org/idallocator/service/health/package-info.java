/** Readiness and metrics: what load balancers and dashboards ask. */
@NullMarked
package org.idallocator.service.health;

import org.jspecify.annotations.NullMarked;
