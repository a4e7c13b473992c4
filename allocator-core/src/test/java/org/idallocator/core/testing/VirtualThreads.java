package org.idallocator.core.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** Virtual threads, which Java has from {@link #SINCE} on. The tests are compiled for an earlier one. */
public final class VirtualThreads {
    /** For {@code @EnabledForJreRange(minVersion = VirtualThreads.SINCE, disabledReason = VirtualThreads.WHY_NOT)}. */
    public static final int SINCE = 21;

    public static final String WHY_NOT = "virtual threads came with Java 21";

    private VirtualThreads() {}

    /** Starts one, which runs this. */
    static Thread start(Runnable task) {
        return (Thread) assertDoesNotThrow(() ->
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task));
    }

    /**
     * So many that begin together, when all of them are there.
     *
     * @return those that run, or have run
     */
    public static List<Thread> startTogether(int count, Runnable task) {
        CountDownLatch together = new CountDownLatch(count);
        return Stream.generate(() -> start(() -> {
                    together.countDown();
                    assertDoesNotThrow(() -> together.await());
                    task.run();
                }))
                .limit(count)
                .toList();
    }

    /** Waits until they have ended. */
    public static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(HangGuard.TIME.toMillis());
            assertFalse(thread.isAlive(), thread::toString);
        }
    }
}
