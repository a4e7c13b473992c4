/** What {@code leases} does to slots, and how the slots and what was done to them are printed. */
@NullMarked
package org.idallocator.service.cli.leases;

import org.jspecify.annotations.NullMarked;
