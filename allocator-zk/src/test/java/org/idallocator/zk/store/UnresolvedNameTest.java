package org.idallocator.zk.store;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Told;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.event.Level;

/** The domain {@code invalid} is one that no server of names knows, by RFC 6761. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class UnresolvedNameTest {
    private static final ZooKeeperSettings SETTINGS =
            ZooKeeperSettings.of("127.0.0.1:1,no-such-zk.invalid:2181,no-other.invalid/ids");
    private static final String WHY = "no-such-zk.invalid and no-other.invalid do not resolve to an address";

    private final AtomicLong nanos = new AtomicLong();

    private static String why(Store store) {
        return String.valueOf(
                assertThrows(StoreException.class, () -> store.read("/ids")).getMessage());
    }

    @Test
    void shouldSayWhichNamesDoNotResolveAndWarnOfThemOnceInAMinute() {
        try (CuratorFramework client = Clients.open(SETTINGS);
                Told told = Told.byAnyThread(CuratorStore.class)) {
            client.start();
            Store store =
                    CuratorStore.failFast(client, SETTINGS, new SimulatedClock(nanos::get, 0, () -> {}), () -> {});
            for (int warnings = 1; warnings <= 2; warnings++) {
                int all = warnings;
                await().until(() -> why(store).equals("not connected to ZooKeeper: " + WHY));
                for (int seconds = 0; seconds <= 50; seconds += 10) {
                    await().until(() -> why(store).contains(WHY));
                    nanos.addAndGet(Duration.ofSeconds(10).toNanos());
                }
                await().until(() -> told.warnings(WHY).size() == all);
                nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            }
            assertNull(told.warnings(WHY).get(0).getThrowableProxy());
        }
    }

    /** Once there was a connection, nobody knows what is wrong with the next: it is found out anew. */
    @Test
    void shouldNameNothingThatWasFoundBeforeTheLastConnection() {
        ClientTrouble trouble = new ClientTrouble(SETTINGS, new SimulatedClock(nanos::get, 0, () -> {}), Level.WARN);
        trouble.findOutSoon();
        await().until(() -> String.valueOf(trouble.notConnected().getMessage()).contains(WHY));

        trouble.forget();
        assertEquals("not connected to ZooKeeper", trouble.notConnected().getMessage());
    }

    @Test
    void shouldSayToOperatorsWhichNamesDoNotResolve() {
        StoreException e = assertThrows(StoreException.class, () -> Connection.open(SETTINGS, Duration.ofMillis(100)));
        assertEquals(
                "no answer from " + SETTINGS.connect() + " within N s: " + WHY,
                String.valueOf(e.getMessage()).replaceFirst("\\d+ s", "N s"));
    }
}
