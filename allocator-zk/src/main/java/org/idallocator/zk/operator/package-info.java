/**
 * What people ask and do: look at leases, examine, begin above what was lost (fence-restore), change a layout, retire a
 * slot.
 */
@NullMarked
package org.idallocator.zk.operator;

import org.jspecify.annotations.NullMarked;
