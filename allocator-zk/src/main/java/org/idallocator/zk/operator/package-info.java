/** What people ask and do: look at leases, examine, restore the fence after a loss of data, change a layout, retire a slot. */
@NullMarked
package org.idallocator.zk.operator;

import org.jspecify.annotations.NullMarked;
