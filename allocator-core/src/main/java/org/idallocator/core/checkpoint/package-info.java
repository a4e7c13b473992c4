/** What becomes of random bits and leases when a snapshot of this process is taken, from which several may go on. */
@NullMarked
package org.idallocator.core.checkpoint;

import org.jspecify.annotations.NullMarked;
