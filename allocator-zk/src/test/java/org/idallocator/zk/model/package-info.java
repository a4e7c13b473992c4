/**
 * The protocol, proved by induction. A model is a file in {@code src/test/resources/model}: what there is, which
 * actions change it, by which guards, and what holds of every state. A solver says that each action keeps all that
 * holds, for any number of tenures, writes, ticks and threads.
 */
@NullMarked
package org.idallocator.zk.model;

import org.jspecify.annotations.NullMarked;
