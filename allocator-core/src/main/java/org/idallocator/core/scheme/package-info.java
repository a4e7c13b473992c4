/** One file per scheme, and the list of all. Whatever speaks of schemes - routes, catalogue, leases, tests - reads this. */
@NullMarked
package org.idallocator.core.scheme;

import org.jspecify.annotations.NullMarked;
