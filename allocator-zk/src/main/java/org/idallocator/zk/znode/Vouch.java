package org.idallocator.zk.znode;

import java.time.Instant;

/**
 * What the writer of a record knows of ZooKeeper's history, both by ZooKeeper's time.
 *
 * @param since since when ZooKeeper has lost nothing
 * @param heard when ZooKeeper told its time last, before the record was sent: one that is written much later may have
 *     been sent in another history
 */
public record Vouch(Instant since, Instant heard) {
    public Vouch {
        Bounds.time("since", since);
        Bounds.time("heard", heard);
    }
}
