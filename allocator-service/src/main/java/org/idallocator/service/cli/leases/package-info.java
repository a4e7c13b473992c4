/** How {@code leases} says what slots are like and what was done to them. */
@NullMarked
package org.idallocator.service.cli.leases;

import org.jspecify.annotations.NullMarked;
