/** Replicas as processes of their own, as operators run them, under faults and with every ID checked. */
@NullMarked
package org.idallocator.processes;

import org.jspecify.annotations.NullMarked;
