package org.idallocator.zk;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Allocators of one process: closed while their threads draw, and several beside each other. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ThreadsTest {
    private static final int THREADS = 8;
    /** The one slot of a pool: whoever comes next draws from the same. */
    private static final Scheme<?> ONE_SLOT = new SnoScheme(0, 1, 1);

    private static final Scheme<?> UID60 = new Uid60Scheme(Uid60Scheme.LONGEST_TENURE);

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    private final DuplicateChecker drawn = new DuplicateChecker();

    @AfterEach
    void requireNoDuplicates() {
        drawn.requireNone();
    }

    /** Those of a root of its own. A thread that finds no processor for seconds loses no slot. */
    private static AllocatorSettings settings(String root, List<Scheme<?>> schemes) {
        AllocatorSettings settings = AllocatorSettings.of(
                        schemes, ZooKeeperSettings.of(SERVER.connect()).withRoot(root))
                .withWindow(Duration.ofMinutes(1))
                .withMaxWait(HangGuard.TIME);
        FirstStart.withoutWaiting(settings);
        return settings;
    }

    /** Draws until a draw is refused, and returns why it is; any other exception is thrown. */
    private FenceReason drawUntilRefused(IdGenerator<?> ids, int count, AtomicLong calls) {
        try {
            while (true) {
                ids.next(count, drawn);
                calls.incrementAndGet();
            }
        } catch (FencedException e) {
            return e.reason();
        }
    }

    private static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "draws");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    /** Uid60s come at 1,024 a second, so nearly all who draw them stand in line when the allocator is closed. */
    @Test
    void shouldTellEachThatDrawsWhenClosed() throws Exception {
        AllocatorSettings settings = settings("/closed", List.of(ONE_SLOT, UID60));
        for (int round = 0; round < 3; round++) {
            AtomicLong snos = new AtomicLong();
            AtomicLong uid60s = new AtomicLong();
            List<FutureTask<FenceReason>> drawing = new ArrayList<>();
            try (IdAllocator allocator = IdAllocator.connect(settings)) {
                allocator.awaitReady(HangGuard.TIME);
                for (int i = 0; i < THREADS; i++) {
                    int count = i % 2 == 0 ? 1 : 300;
                    drawing.add(start(() -> drawUntilRefused(allocator.generator(ONE_SLOT), count, snos)));
                    drawing.add(start(() -> drawUntilRefused(allocator.generator(UID60), count, uid60s)));
                }
                await().until(() -> snos.get() > 100 && uid60s.get() > 100);
            } // is closed while all of them draw
            for (FutureTask<FenceReason> each : drawing) {
                assertEquals(FenceReason.CLOSED, each.get(HangGuard.MINUTES, TimeUnit.MINUTES));
            }
        }
    }

    /** Two threads, as of a program's own shutdown and of its framework. */
    @Test
    void shouldCloseOnceWhenSeveralClose() throws Exception {
        AllocatorSettings settings = settings("/closed-twice", List.of(ONE_SLOT));
        IdAllocator allocator = IdAllocator.connect(settings);
        allocator.awaitReady(HangGuard.TIME);
        Callable<Boolean> close = () -> {
            allocator.close();
            return allocator.held().isEmpty();
        };

        List<FutureTask<Boolean>> closing =
                Stream.generate(() -> start(close)).limit(3).toList();

        for (FutureTask<Boolean> each : closing) {
            assertEquals(true, each.get(HangGuard.MINUTES, TimeUnit.MINUTES), "nothing is held when a call returns");
        }
        assertEquals(
                FenceReason.CLOSED,
                assertThrows(
                                FencedException.class,
                                () -> allocator.generator(ONE_SLOT).next())
                        .reason());
    }

    /** They share the schemes, too, and what is theirs alone is in the settings of neither. */
    @Test
    void shouldHoldSlotsOfTheirOwnWhenOneProcessHasSeveral() throws Exception {
        AllocatorSettings shared = settings("/shared", Schemes.of("sno", "uid60"));
        Scheme<?> sno = shared.schemes().get(0);
        try (IdAllocator stays = IdAllocator.connect(shared.withReplica(Replica.named("stays", "")))) {
            Caller first;
            Caller second;
            try (IdAllocator goes = IdAllocator.connect(shared.withReplica(Replica.named("goes", "")))) {
                stays.awaitReady(HangGuard.TIME);
                goes.awaitReady(HangGuard.TIME);
                assertEquals(4, slotCount(stays, goes));
                first = Caller.of(stays.generator(sno), drawn);
                second = Caller.of(goes.generator(sno), drawn);
                await().until(() -> first.issuing() && second.issuing());
            }
            try (first;
                    second) {
                await().until(() -> second.refused(FenceReason.CLOSED));
                long before = drawn.seen();
                await().until(() -> drawn.seen() > before + 1_000);
                assertEquals(List.of(), first.refusals());
            }
            assertEquals(2, stays.held().size());
        }
    }

    private static long slotCount(IdAllocator... allocators) {
        return Stream.of(allocators)
                .flatMap(allocator -> allocator.held().stream())
                .map(HeldSlot::path)
                .distinct()
                .count();
    }

    /** They differ in nothing, so the later one has the name that people are shown; IDs do not depend on it. */
    @Test
    void shouldHoldSlotsOfTheirOwnWhenBothHaveOneName() throws Exception {
        AllocatorSettings settings = settings("/one-name", Schemes.of("sno"));
        Scheme<?> sno = settings.schemes().get(0);
        try (IdAllocator one = IdAllocator.connect(settings);
                IdAllocator other = IdAllocator.connect(settings)) {
            one.awaitReady(HangGuard.TIME);
            other.awaitReady(HangGuard.TIME);
            assertEquals(2, slotCount(one, other));
            for (IdAllocator allocator : List.of(one, other)) {
                allocator.generator(sno).next(1_000, drawn);
            }
        }
    }
}
