/**
 * One replica's leases. One thread takes the steps of the protocol: claim, renew, read back, release. {@code Leases} is
 * its face.
 */
@NullMarked
package org.idallocator.zk.lease;

import org.jspecify.annotations.NullMarked;
