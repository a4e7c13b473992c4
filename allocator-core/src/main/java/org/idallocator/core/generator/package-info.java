/**
 * Generators: one class that claims time and sequence in one compare-and-set, a small file per scheme around it, and the
 * layer that waits for callers.
 */
@NullMarked
package org.idallocator.core.generator;

import org.jspecify.annotations.NullMarked;
