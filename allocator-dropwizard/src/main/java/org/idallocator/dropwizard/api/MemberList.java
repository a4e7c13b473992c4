package org.idallocator.dropwizard.api;

import java.util.List;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.MemberView;

/**
 * The answer to requests for the replicas.
 *
 * @param zookeeper where ZooKeeper is, as {@code zkCli.sh -server} takes it
 * @param root the path below which everything is
 * @param members the replicas whose sessions live
 */
public record MemberList(String zookeeper, String root, List<MemberView> members) {

    /** The replicas now. */
    public static MemberList of(ClusterView cluster) {
        return new MemberList(cluster.connectString(), cluster.root(), cluster.members());
    }
}
