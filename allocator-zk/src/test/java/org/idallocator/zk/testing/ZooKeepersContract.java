package org.idallocator.zk.testing;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;

/** What every flavour of {@link ZooKeepers} must do, so that the tests on top may rely on it. */
public abstract class ZooKeepersContract {

    /** Servers that are up, one or an ensemble. */
    protected abstract ZooKeepers of(int members);

    @Test
    void shouldServeAloneAndAgainAfterKill() throws Exception {
        try (ZooKeepers alone = of(1);
                CuratorFramework client = client(alone)) {
            assertEquals(0, alone.awaitLeader());
            client.create().orSetData().forPath("/kept", bytes("x"));
            alone.kill(0);
            assertEquals(Optional.empty(), alone.mode(0));
            alone.restart(0);
            assertArrayEquals(bytes("x"), client.getData().forPath("/kept"));
        }
    }

    @Test
    @ProofOnly("kills and pauses leaders of ensembles, which the tests on top of it do as well")
    void shouldElectAnotherLeaderWhenOneIsKilledOrPaused() throws Exception {
        try (ZooKeepers three = of(3);
                CuratorFramework client = client(three)) {
            int killed = three.awaitLeader();
            three.kill(killed);
            client.create().orSetData().forPath("/after-kill", bytes("1"));
            int next = three.awaitLeader();
            assertTrue(next != killed);
            three.restart(killed);
            three.awaitServing();

            three.pause(next);
            client.create().orSetData().forPath("/after-pause", bytes("2"));
            three.resume(next);
            await().until(() ->
                    IntStream.range(0, 3).allMatch(member -> three.mode(member).isPresent()));
            assertArrayEquals(bytes("1"), client.getData().forPath("/after-kill"));
        }
    }

    private static CuratorFramework client(ZooKeepers servers) {
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers.connectString())
                .sessionTimeoutMs(4_000)
                .connectionTimeoutMs(4_000)
                .ensembleTracker(false)
                .retryPolicy(new RetryForever(100))
                .build();
        client.start();
        return client;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
