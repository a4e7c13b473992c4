package org.idallocator.service.cli.generate;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrderlyEndTest {
    private final List<String> said = new ArrayList<>();

    /** Something that is released by {@code how}; somebody answers unless {@link #silent}. */
    private static final class Held implements OrderlyEnd.Holding {
        private final Runnable how;
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean silent;

        Held(Runnable how) {
            this.how = how;
        }

        @Override
        public void release() {
            how.run();
        }

        @Override
        public boolean answered() {
            asked.incrementAndGet();
            return !silent;
        }

        @Override
        public Optional<String> kept() {
            return Optional.of("a slot is kept");
        }
    }

    private OrderlyEnd impatient() {
        return OrderlyEnd.prepare(
                kept -> said.add("last words" + kept.map(what -> ", " + what).orElse("")), Duration.ZERO);
    }

    private static Runnable lasting(CountDownLatch enough) {
        return () -> {
            try {
                enough.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Test
    void shouldEndWithoutAReleaseWhenNobodyAnswers() {
        CountDownLatch enough = new CountDownLatch(1);
        Held held = new Held(lasting(enough));
        held.silent = true;
        try (OrderlyEnd end = impatient()) {
            end.holding(held);
            end.commandEnded();
            end.end();

            assertEquals(List.of("last words, a slot is kept"), said);
        } finally {
            enough.countDown();
        }
    }

    @Test
    void shouldWaitForAReleaseAsLongAsSomebodyAnswers() {
        CountDownLatch enough = new CountDownLatch(1);
        Held held = new Held(lasting(enough));
        try (OrderlyEnd end = impatient()) {
            end.holding(held);
            end.commandEnded();
            Thread hook = new Thread(end::end);
            hook.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> held.asked.get() > 5);
            assertTrue(hook.isAlive());
            assertEquals(List.of(), said);

            enough.countDown();
            await().atMost(Duration.ofSeconds(30)).until(() -> !hook.isAlive());
            assertEquals(List.of("last words"), said);
        }
    }

    @Test
    void shouldHaveLastWordsAlsoWhenNothingCanBeReleased() {
        try (OrderlyEnd end = OrderlyEnd.prepare(kept -> said.add("last words"))) {
            end.holding(new Held(() -> {
                throw new IllegalStateException("ZooKeeper is away");
            }));
            assertThrows(IllegalStateException.class, end::end);
            assertTrue(end.told());
        }
        assertEquals(List.of("last words"), said);
    }

    /** Else the process could end before the other thread has released the slot. */
    @Test
    void shouldWaitForTheThreadThatReleasesTheSlotAlready() throws Exception {
        AllocatorSection section = Jackson.newObjectMapper(new YAMLFactory())
                .readValue("zookeeper: {connect: '127.0.0.1:1'}", AllocatorSection.class);
        try (OrderlyEnd end = OrderlyEnd.prepare(kept -> {});
                CommandLease<?> lease =
                        new CommandLease<>(new Uid60Scheme(Duration.ofHours(1)), Ensemble.of(section), end)) {
            Thread hook = new Thread(lease::close);
            synchronized (lease) {
                hook.start();
                await().atMost(Duration.ofSeconds(30)).until(() -> hook.getState() == Thread.State.BLOCKED);
            }
            hook.join();
        }
    }
}
