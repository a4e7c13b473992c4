/**
 * Generators for the unit tests of programs, which need no ZooKeeper and give the same IDs in each run. They are among
 * the library's own classes, as {@link org.idallocator.core.clock.ScriptedClock} is, so that a program needs no other
 * artifact for its tests. Nothing that serves may use them.
 */
@NullMarked
package org.idallocator.core.testing;

import org.jspecify.annotations.NullMarked;
