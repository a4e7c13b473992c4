/** Replicas as processes of their own, the way they run in earnest, under faults and with every ID checked. */
@NullMarked
package org.idallocator.service.processes;

import org.jspecify.annotations.NullMarked;
