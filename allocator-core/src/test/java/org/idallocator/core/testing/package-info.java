/** What the tests of all modules share: which of them only the proof runs, and what the console says meanwhile. */
@NullMarked
package org.idallocator.core.testing;

import org.jspecify.annotations.NullMarked;
