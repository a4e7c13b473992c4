/** {@code leases} and its subcommands. */
@NullMarked
package org.idallocator.service.cli.leases;

import org.jspecify.annotations.NullMarked;
