/**
 * The fault matrix: replicas and ZooKeepers as processes, under load, under one fault after the other; every ID is
 * compared with every other, every goal is measured, and a page says how it went.
 */
@NullMarked
package org.idallocator.faults;

import org.jspecify.annotations.NullMarked;
