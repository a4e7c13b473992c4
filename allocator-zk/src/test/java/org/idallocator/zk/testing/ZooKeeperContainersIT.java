package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract on containers. Where this test is skipped, all integration tests ran on ZooKeepers in child JVMs. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperContainersIT extends ZooKeepersContract {

    @BeforeAll
    static void requireDocker() {
        Docker.whyNot()
                .ifPresent(reason ->
                        assumeTrue(false, "no containers, all integration tests ran on child processes: " + reason));
    }

    @Override
    ZooKeepers of(int members) {
        return new ZooKeeperContainers(members).started();
    }
}
