package org.idallocator.service.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptionTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Interruption interruption =
            Interruption.prepare(new PrintStream(said, true, UTF_8), () -> "3 of 5 IDs were printed");

    private static LeasedGenerator<?> generator() throws JsonProcessingException {
        AllocatorSection section = Jackson.newObjectMapper(new YAMLFactory())
                .readValue("zookeeper: {connect: '127.0.0.1:1'}", AllocatorSection.class);
        return new LeasedGenerator<>(new Uid60Scheme(Duration.ofHours(1)), Ensemble.of(section));
    }

    @Test
    void shouldTellTheCommandAndWaitForItsEnd() {
        Thread hook = new Thread(interruption::interrupt);
        hook.start();
        await().until(interruption::told);
        interruption.close();
        await().until(() -> !hook.isAlive());

        assertEquals("told to end (3 of 5 IDs were printed)" + System.lineSeparator(), said.toString(UTF_8));
    }

    @Test
    void shouldEndAlsoWhenTheCommandIsStuck() {
        interruption.interrupt();

        assertTrue(interruption.told());
        assertEquals("told to end (3 of 5 IDs were printed)" + System.lineSeparator(), said.toString(UTF_8));
        interruption.close();
    }

    @Test
    void shouldSayNothingWhenTheCommandHasEnded() {
        interruption.close();
        interruption.interrupt();

        assertFalse(interruption.told());
        assertEquals("", said.toString(UTF_8));
    }

    /** Else the process could end before the other thread has released the slot. */
    @Test
    void shouldWaitForTheThreadThatReleasesTheSlotAlready() throws Exception {
        try (LeasedGenerator<?> generator = generator()) {
            Thread hook = new Thread(generator::close);
            synchronized (generator) {
                hook.start();
                await().until(() -> hook.getState() == Thread.State.BLOCKED);
            }
            hook.join();
        }
        interruption.close();
    }
}
