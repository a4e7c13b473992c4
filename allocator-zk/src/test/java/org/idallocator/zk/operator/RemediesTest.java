package org.idallocator.zk.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What operators are told to do can be done, as it stands. */
final class RemediesTest {
    private static String of(FenceReason reason) {
        ZooKeeperSettings below =
                ZooKeeperSettings.of("zk1:2181,zk2:2181/team/one").withRoot("/ids");
        return new Remedies(below).of(reason);
    }

    @Test
    void shouldLookBelowTheChroot() {
        assertEquals(
                "zkCli.sh -server zk1:2181,zk2:2181/team/one getAcl /ids",
                of(FenceReason.NO_PERMISSION).lines().skip(1).findFirst().orElseThrow());
    }

    /** Where there is only the embedded one, nothing is to be corrected. */
    @Test
    void shouldStartWhatDoesNotAnswer() {
        assertEquals(
                "start the ensemble, or correct zookeeper.connect; each server says of itself:\necho srvr | nc HOST PORT",
                of(FenceReason.UNREACHABLE));
        assertEquals(
                "stop what listens there, or look why the process does not answer that runs the embedded ZooKeeper",
                new Remedies(ZooKeeperSettings.of("zk1:2181").onEmbedded("127.0.0.1:2181", "a-directory"))
                        .of(FenceReason.UNREACHABLE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sno       | enlarge the pool (leases relayout SCHEME -c FILE), or put back what was retired:
            eightbyte | give further replicas another clusterId, which has a pool of its own, or put back what was retired:
            uid60     | put back what was retired:
            muid      | put back what was retired:
            """)
    void shouldEnlargeNoPoolThatCannotGrow(String scheme, String remedy) {
        assertEquals(
                remedy,
                Remedies.moreSlots(Schemes.named(scheme, Schemes.all()).pool().orElseThrow())
                        .lines()
                        .findFirst()
                        .orElseThrow());
    }
}
