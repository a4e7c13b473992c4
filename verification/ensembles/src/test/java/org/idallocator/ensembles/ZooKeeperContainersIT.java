package org.idallocator.ensembles;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.Docker;
import org.idallocator.zk.testing.ZooKeeperContainers;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.testing.ZooKeepersContract;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on containers. Where this test is skipped, all integration tests ran on ZooKeepers in child JVMs. */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("starts and restarts a ZooKeeper to see that tests can")
class ZooKeeperContainersIT extends ZooKeepersContract {

    @BeforeAll
    static void requireDocker() {
        Docker.whyNot()
                .ifPresent(reason ->
                        assumeTrue(false, "no containers, all integration tests ran on child processes: " + reason));
    }

    @Override
    protected ZooKeepers of(int members) {
        return new ZooKeeperContainers(members).started();
    }
}
