/**
 * Health checks for load balancers and supervisors, which tell readiness and liveness; and what ZooKeeper showed of all
 * replicas.
 */
@NullMarked
package org.idallocator.dropwizard.health;

import org.jspecify.annotations.NullMarked;
