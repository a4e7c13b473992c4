/** What load balancers, supervisors and dashboards ask: readiness, liveness and metrics; and how a process ends that cannot go on. */
@NullMarked
package org.idallocator.service.health;

import org.jspecify.annotations.NullMarked;
