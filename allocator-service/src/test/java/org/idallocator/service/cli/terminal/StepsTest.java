package org.idallocator.service.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.ScriptedClock;
import org.junit.jupiter.api.Test;

class StepsTest {
    private final ScriptedClock clock = new ScriptedClock(0);
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Steps steps = new Steps(new PrintStream(said, true, UTF_8), clock);

    private void pass(int tenths) {
        for (int i = 0; i < tenths; i++) {
            clock.advance(Duration.ofMillis(100));
            steps.look();
        }
    }

    private List<String> lines() {
        return said.toString(UTF_8).lines().toList();
    }

    @Test
    void shouldTellAfterASecondAndThenEveryFour() {
        steps.begin("zk1:2181 to answer");
        pass(9);
        assertEquals(List.of(), lines());
        pass(81);

        assertEquals(
                List.of(
                        "waiting for zk1:2181 to answer, 1 s so far",
                        "waiting for zk1:2181 to answer, 5 s so far",
                        "waiting for zk1:2181 to answer, 9 s so far"),
                lines());
    }

    @Test
    void shouldCountEachStepAnewAndTellNothingBetween() {
        assertEquals(3, steps.awaiting("one", () -> {
            pass(9);
            return 3;
        }));
        pass(90);
        steps.begin("two");
        pass(10);
        steps.begin("three");
        pass(10);
        steps.end();
        pass(90);

        assertEquals(List.of("waiting for two, 1 s so far", "waiting for three, 1 s so far"), lines());
    }

    @Test
    void shouldTellNothingMoreWhenAStepHasFailed() {
        assertThrows(
                CommandException.class,
                () -> steps.awaiting("one", () -> {
                    throw new CommandException("it failed");
                }));
        pass(90);

        assertEquals(List.of(), lines());
    }

    /** Its own thread looks, where somebody looks at standard error. */
    @Test
    void shouldTellByItself() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        PrintStream err = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8) {
            @Override
            public void println(String line) {
                told.countDown();
            }
        };
        StandardStreams streams = new StandardStreams(
                new ByteArrayInputStream(new byte[0]), OutputStream.nullOutputStream(), err, true, false);
        try (Steps own = Steps.of(streams)) {
            own.begin("something that never comes");
            assertTrue(told.await(30, TimeUnit.SECONDS));
        }
    }
}
