package org.idallocator.dropwizard.api;

import java.util.List;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;

/**
 * The answer to requests for the leases of the whole cluster.
 *
 * @param zookeeper where ZooKeeper is, as {@code zkCli.sh -server} takes it
 * @param root the path below which everything is
 * @param pools how many slots of each pool are in which state
 * @param leases the slots
 */
public record ClusterLeases(String zookeeper, String root, List<PoolView.Counts> pools, List<LeaseView> leases) {

    /** All slots of these pools that were ever used. */
    public static ClusterLeases of(ClusterView cluster, List<PoolView> pools) {
        return new ClusterLeases(
                cluster.connectString(),
                cluster.root(),
                pools.stream().map(PoolView::counts).toList(),
                pools.stream().flatMap(pool -> pool.slots().stream()).toList());
    }
}
