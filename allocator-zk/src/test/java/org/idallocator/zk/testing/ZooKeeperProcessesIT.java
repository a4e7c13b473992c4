package org.idallocator.zk.testing;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on child JVMs. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperProcessesIT extends ZooKeepersContract {

    @Override
    ZooKeepers of(int members) {
        return new ZooKeeperProcesses(members).started();
    }
}
