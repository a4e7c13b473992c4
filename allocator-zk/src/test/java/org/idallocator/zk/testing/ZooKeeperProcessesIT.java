package org.idallocator.zk.testing;

class ZooKeeperProcessesIT extends ZooKeepersContract {

    @Override
    ZooKeepers of(int members) {
        return new ZooKeeperProcesses(members).started();
    }
}
