package org.idallocator.zk;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.PinnedThreads;
import org.idallocator.core.testing.VirtualThreads;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** Ten thousand virtual threads draw from leased slots, and nobody waits on a carrier. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledForJreRange(minVersion = VirtualThreads.SINCE, disabledReason = VirtualThreads.WHY_NOT)
final class VirtualThreadsTest {
    private static final int THREADS = 10_000;
    /** 64 IDs in 4 ms. */
    private static final Scheme<?> SNO = new SnoScheme(0, 1, 1_024);
    /** 1,024 IDs a second. */
    private static final Scheme<?> UID60 = new Uid60Scheme(Uid60Scheme.LONGEST_TENURE);

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    /** A thread that finds no processor for seconds loses no slot. */
    private static final AllocatorSettings SETTINGS = AllocatorSettings.of(
                    List.of(SNO, UID60), ZooKeeperSettings.of(SERVER.connect()))
            .withWindow(Duration.ofMinutes(1))
            .withMaxWait(HangGuard.TIME);

    static {
        FirstStart.withoutWaiting(SETTINGS);
    }

    @AutoClose
    private final IdAllocator allocator = IdAllocator.connect(SETTINGS);

    private final DuplicateChecker drawn = new DuplicateChecker();
    private final Map<FenceReason, LongAdder> refused = new ConcurrentHashMap<>();

    /** Draws, waits and is refused once for each scheme: a thread that waits for a class to be loaded is pinned. */
    @BeforeEach
    void loadClasses() throws InterruptedException {
        allocator.awaitReady(HangGuard.TIME);
        SETTINGS.schemes().forEach(scheme -> allocator.generator(scheme).next(2_000));
        assertTrue(allocator.drain(HangGuard.TIME).givenBack());
        SETTINGS.schemes().forEach(scheme -> draw(allocator.generator(scheme)));
        assertEquals(2, refusals(FenceReason.DRAINED));
        assertTrue(allocator.resume());
        allocator.awaitReady(HangGuard.TIME);
        refused.clear();
        SETTINGS.schemes().forEach(scheme -> draw(allocator.generator(scheme)));
    }

    private void draw(IdGenerator<?> ids) {
        try {
            ids.next(1, drawn);
        } catch (FencedException e) {
            refused.computeIfAbsent(e.reason(), reason -> new LongAdder()).increment();
        }
    }

    private long refusals(FenceReason reason) {
        LongAdder counted = refused.get(reason);
        return counted == null ? 0 : counted.sum();
    }

    @Test
    void shouldServeEachWhenThousandsWait() throws Exception {
        IdGenerator<?> snos = allocator.generator(SNO);
        try (PinnedThreads pinned = PinnedThreads.watch()) {
            VirtualThreads.join(VirtualThreads.startTogether(THREADS, () -> draw(snos)));

            pinned.assertNone();
        }
        assertEquals(Map.of(), refused);
        assertEquals(THREADS + 2, drawn.seen());
        drawn.requireNone();
    }

    /** Thousands still wait for later seconds: none of them is forgotten in the line. */
    @Test
    void shouldTellEachThatWaitsWhenTheSlotIsGivenBack() throws Exception {
        IdGenerator<?> uid60s = allocator.generator(UID60);
        try (PinnedThreads pinned = PinnedThreads.watch()) {
            List<Thread> threads = VirtualThreads.startTogether(THREADS, () -> draw(uid60s));
            await().until(() -> drawn.seen() > 1_000);
            assertTrue(allocator.drain(HangGuard.TIME).givenBack());
            VirtualThreads.join(threads);

            pinned.assertNone();
        }
        assertEquals(List.of(FenceReason.DRAINED), List.copyOf(refused.keySet()));
        assertEquals(THREADS + 2, drawn.seen() + refusals(FenceReason.DRAINED));
        drawn.requireNone();

        assertTrue(allocator.resume());
        allocator.awaitReady(HangGuard.TIME);
        VirtualThreads.join(VirtualThreads.startTogether(THREADS / 20, () -> draw(uid60s)));
        drawn.requireNone();
    }
}
