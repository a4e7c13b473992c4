package org.idallocator.zk.operator;

import java.util.List;

/**
 * All that ZooKeeper shows of pools and replicas, as one look found it.
 *
 * @param pools the pools of the schemes with slots that are configured here, in the schemes' order
 * @param members the replicas whose sessions live, by their names in order
 */
public record ClusterState(List<PoolView> pools, List<MemberView> members) {}
