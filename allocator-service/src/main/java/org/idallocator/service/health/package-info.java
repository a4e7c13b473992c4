/** What load balancers and supervisors ask: readiness and liveness; and how a process ends that cannot go on. */
@NullMarked
package org.idallocator.service.health;

import org.jspecify.annotations.NullMarked;
