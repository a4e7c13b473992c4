/** {@code leases} and its subcommands. */
@NullMarked
package org.idallocator.dropwizard.cli.leases;

import org.jspecify.annotations.NullMarked;
