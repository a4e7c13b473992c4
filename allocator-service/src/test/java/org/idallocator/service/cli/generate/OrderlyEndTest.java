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
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.junit.jupiter.api.Test;

class OrderlyEndTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void shouldHaveLastWordsAlsoWhenNothingCanBeReleased() {
        try (OrderlyEnd end = OrderlyEnd.prepare(() -> said.add("last words"))) {
            end.holding(() -> {
                throw new IllegalStateException("ZooKeeper is away");
            });
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
        try (OrderlyEnd end = OrderlyEnd.prepare(() -> {});
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
