/** One replica's leases: the steps of the protocol - claim, renew, resolve, release - on one thread, behind {@code Leases}. */
@NullMarked
package org.idallocator.zk.lease;

import org.jspecify.annotations.NullMarked;
