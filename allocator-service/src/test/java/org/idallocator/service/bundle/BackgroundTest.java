package org.idallocator.service.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.setup.Environment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackgroundTest {
    private static final long HANG_GUARD_SECONDS = 20;

    private final Environment environment = new Environment("shop");
    private final ExecutorService background = Background.of(environment, "behind", Executors::newSingleThreadExecutor);

    private void stop() throws Exception {
        for (var managed : environment.lifecycle().getManagedObjects()) {
            managed.start();
            managed.stop();
        }
    }

    @Test
    void shouldNameItsThreadAndNotKeepTheJvmUp() throws Exception {
        Thread thread = background.submit(Thread::currentThread).get(HANG_GUARD_SECONDS, TimeUnit.SECONDS);
        stop();

        assertEquals("behind", thread.getName());
        assertTrue(thread.isDaemon());
    }

    @Test
    void shouldEndWithTheProgramWhateverItWaitsFor() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        Future<?> waiting = background.submit(() -> {
            runs.countDown();
            new CountDownLatch(1).await();
            return null;
        });
        assertTrue(runs.await(HANG_GUARD_SECONDS, TimeUnit.SECONDS));
        stop();

        assertTrue(background.awaitTermination(HANG_GUARD_SECONDS, TimeUnit.SECONDS));
        Exception ended = assertThrows(ExecutionException.class, waiting::get);
        assertInstanceOf(InterruptedException.class, ended.getCause());
        assertThrows(RejectedExecutionException.class, () -> background.execute(() -> {}));
    }
}
