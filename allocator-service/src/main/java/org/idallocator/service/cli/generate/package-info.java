/** How {@code generate} leases slots for one call and prints IDs. */
@NullMarked
package org.idallocator.service.cli.generate;

import org.jspecify.annotations.NullMarked;
