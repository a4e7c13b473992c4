package org.idallocator.zk.lease;

import java.util.List;
import java.util.stream.Stream;

/** All tenures of which this replica may have a lease or a record in ZooKeeper. Confined to the lease loop's thread. */
final class ReplicaTenures {
    private final ReplicaSlots held;
    private final Releaser releaser;

    /**
     * Those that serve, and those that do not.
     *
     * @param held has those that serve
     * @param releaser has those that are not released yet, and those whose claims are under way
     */
    ReplicaTenures(ReplicaSlots held, Releaser releaser) {
        this.held = held;
        this.releaser = releaser;
    }

    List<Tenure> all() {
        return Stream.concat(held.tenures().stream(), releaser.tenures().stream())
                .toList();
    }
}
