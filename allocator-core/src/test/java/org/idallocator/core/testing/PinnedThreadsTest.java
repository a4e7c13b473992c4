package org.idallocator.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

@EnabledForJreRange(minVersion = VirtualThreads.SINCE, disabledReason = VirtualThreads.WHY_NOT)
final class PinnedThreadsTest {
    /** Whoever waits while a class is initialized keeps the carrier. */
    private static final class WaitsWhenInitialized {
        static final boolean HAS_WAITED;

        static {
            LockSupport.parkNanos(1_000_000);
            HAS_WAITED = true;
        }
    }

    @Test
    void shouldTellWhereAThreadWasPinned() throws Exception {
        try (PinnedThreads pinned = PinnedThreads.watch()) {
            VirtualThreads.join(List.of(VirtualThreads.start(() -> assertTrue(WaitsWhenInitialized.HAS_WAITED))));

            List<String> found = pinned.found();
            assertEquals(1, found.size(), found::toString);
            assertTrue(found.get(0).contains("WaitsWhenInitialized"), found::toString);
        }
    }

    @Test
    void shouldTellNothingWhereAThreadWaitsOtherwise() throws Exception {
        try (PinnedThreads pinned = PinnedThreads.watch()) {
            VirtualThreads.join(List.of(VirtualThreads.start(() -> LockSupport.parkNanos(1_000_000))));

            pinned.assertNone();
        }
    }
}
