/** How {@code leases} prints slots, and what was done to them. */
@NullMarked
package org.idallocator.service.cli.leases;

import org.jspecify.annotations.NullMarked;
