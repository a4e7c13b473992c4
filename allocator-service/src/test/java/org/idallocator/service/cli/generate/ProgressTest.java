package org.idallocator.service.cli.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.service.cli.terminal.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
    private final ScriptedClock clock = new ScriptedClock(0);
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private Progress progress(boolean wanted) {
        return new Progress(wanted, 4_000, new PrintStream(said, true, UTF_8), clock);
    }

    @Test
    void shouldSayNothingWithinASecond() {
        Progress progress = progress(true);
        clock.advance(Duration.ofMillis(999));
        progress.reached(2_000);
        progress.end(4_000);

        assertEquals("", said.toString(UTF_8));
    }

    @Test
    void shouldSayNothingWhenNobodyLooks() {
        Progress progress = progress(false);
        clock.advance(Duration.ofSeconds(9));
        progress.reached(2_000);
        progress.end(4_000);

        assertEquals("", said.toString(UTF_8));
    }

    @Test
    void shouldSayHowFarItIsOnceASecondAndHowFarItCame() {
        Progress progress = progress(true);
        for (int done = 0; done < 2_500; done += 500) {
            progress.reached(done);
            clock.advance(Duration.ofMillis(500));
        }
        progress.end(3_999);

        assertEquals(
                "\r1000 of 4000 IDs, 25 %\r2000 of 4000 IDs, 50 %\r3999 of 4000 IDs, 99 %" + System.lineSeparator(),
                said.toString(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "/dev/pts/3, true", "/dev/tty1, true", "/dev/console, true",
        "/dev/null, false", "pipe:[12], false", "/tmp/dev/pts/3, false"
    })
    void shouldKnowATerminal(String target, boolean terminal) {
        assertEquals(terminal, Terminal.isTerminal(target));
    }
}
