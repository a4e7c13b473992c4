/** How {@code generate} leases a slot for one call, draws IDs and prints them. */
@NullMarked
package org.idallocator.service.cli.generate;

import org.jspecify.annotations.NullMarked;
