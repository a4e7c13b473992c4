package org.idallocator.service.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.Test;

class WaitingTest {
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final Waiting waiting = new Waiting(new PrintStream(OutputStream.nullOutputStream(), true, UTF_8) {
        @Override
        public void println(String line) {
            said.add(line);
        }
    });

    @Test
    void shouldSayWhatTheCommandWaitsForNow() throws InterruptedException {
        waiting.begin("what comes at once");
        waiting.begin("something that never comes");

        assertEquals("waiting for something that never comes", said.poll(HangGuard.MINUTES, TimeUnit.MINUTES));
        assertTrue(said.isEmpty(), said::toString);
    }

    /** What is begun last tells that the time of the other is over. */
    @Test
    void shouldSayNothingOfWhatIsOver() throws InterruptedException {
        waiting.begin("what is there");
        waiting.close();
        waiting.begin("the last one");

        assertEquals("waiting for the last one", said.poll(HangGuard.MINUTES, TimeUnit.MINUTES));
        assertEquals(List.of(), List.copyOf(said));
    }
}
