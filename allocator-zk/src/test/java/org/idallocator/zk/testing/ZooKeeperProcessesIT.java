package org.idallocator.zk.testing;

/** The contract on child JVMs. */
class ZooKeeperProcessesIT extends ZooKeepersContract {

    @Override
    ZooKeepers of(int members) {
        return new ZooKeeperProcesses(members).started();
    }
}
