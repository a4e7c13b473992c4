package org.idallocator.ensembles;

import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.testing.ZooKeepersContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on child JVMs. */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("starts and restarts a ZooKeeper to see that tests can")
class ZooKeeperProcessesIT extends ZooKeepersContract {

    @Override
    protected ZooKeepers of(int members) {
        return new ZooKeeperProcesses(members).started();
    }
}
