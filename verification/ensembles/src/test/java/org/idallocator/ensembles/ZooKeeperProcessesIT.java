package org.idallocator.ensembles;

import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.testing.ZooKeepersContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on child JVMs. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperProcessesIT extends ZooKeepersContract {

    @Override
    protected ZooKeepers of(int members) {
        return new ZooKeeperProcesses(members).started();
    }
}
