/**
 * What tests with real ZooKeepers and real processes share: ensembles in containers or child JVMs, faults, callers that
 * never stop asking, and a checker that sees every ID.
 */
@NullMarked
package org.idallocator.zk.testing;

import org.jspecify.annotations.NullMarked;
