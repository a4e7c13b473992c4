/**
 * What load balancers and supervisors ask: readiness and liveness; how a process ends that cannot go on; what ZooKeeper
 * showed of all.
 */
@NullMarked
package org.idallocator.dropwizard.health;

import org.jspecify.annotations.NullMarked;
