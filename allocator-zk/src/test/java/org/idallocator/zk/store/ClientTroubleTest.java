package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;

final class ClientTroubleTest {
    private static final ZooKeeperSettings SETTINGS =
            ZooKeeperSettings.of("zk:2181").withAuth(List.of("foo:bar")).withSessionTimeout(Duration.ofSeconds(20));

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

    private ClientTrouble trouble(ZooKeeperSettings settings) {
        return new ClientTrouble(settings, new SimulatedClock(nanos::get, 0, () -> {}));
    }

    /** Each try leaves a session behind for as long as a session lasts. */
    @Test
    void shouldTryOncePerSessionTimeout() {
        ClientTrouble trouble = trouble(SETTINGS);
        nanos.addAndGet(Duration.ofSeconds(20).toNanos() - 1);
        assertFalse(trouble.tryAgain());
        nanos.incrementAndGet();
        assertTrue(trouble.tryAgain());
        assertFalse(trouble.tryAgain());
        nanos.addAndGet(Duration.ofSeconds(20).toNanos());
        assertTrue(trouble.tryAgain());
    }

    @Test
    void shouldLeaveOpenWhatBecameOfAnOperation() {
        StoreException refused = trouble(SETTINGS).refused(null);
        StoreException stranger =
                trouble(SETTINGS.onEmbedded("zk:2181", "mine")).refused(null);

        assertEquals(StoreException.Kind.REFUSED, refused.kind());
        assertEquals(StoreException.Kind.UNCERTAIN, stranger.kind());
        assertTrue(refused.unanswered() && stranger.unanswered());
    }
}
