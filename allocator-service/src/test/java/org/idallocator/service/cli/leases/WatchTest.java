package org.idallocator.service.cli.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.zk.operator.OnStore;
import org.junit.jupiter.api.Test;

/** What a watch prints, and how it ends. */
class WatchTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicInteger halted = new AtomicInteger();
    private final WatchEnd end = new WatchEnd(halted::incrementAndGet);

    private Watch watch(Optional<String> screen, String gap) {
        return new Watch(MOMENT, screen, gap, new Output(out), new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    /** Shows these, and then somebody ends the process. */
    private Supplier<String> shows(String... texts) {
        Deque<String> left = new ArrayDeque<>(List.of(texts));
        return () -> {
            String text = left.remove();
            if (left.isEmpty()) {
                Thread signal = new Thread(end::end);
                signal.setDaemon(true);
                signal.start();
                while (!end.toldWithin(MOMENT)) {
                    Thread.onSpinWait();
                }
            }
            if (text.equals("away")) {
                throw OnStore.unreachable("no answer");
            }
            return text;
        };
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintTablesApartByAnEmptyLine() {
        watch(Optional.empty(), "\n").run(shows("a\nb", "c"), end);
        assertEquals("a\nb\n\nc\n", printed());
    }

    @Test
    void shouldPrintALineOfJsonEachTime() {
        watch(Optional.empty(), "").run(shows("{}", "{}"), end);
        assertEquals("{}\n{}\n", printed());
    }

    @Test
    void shouldSayThatZooKeeperIsAwayAndGoOn() {
        watch(Optional.empty(), "\n").run(shows("away", "a", "away", "b"), end);
        String said = err.toString(StandardCharsets.UTF_8);

        assertEquals("a\n\nb\n", printed());
        assertEquals(2, said.lines().count(), said);
        assertTrue(said.matches("(20[^ ]+Z ZooKeeper cannot be asked: .*no answer.*\n){2}"), said);
    }

    @Test
    void shouldDrawAScreenAnewWithoutClearingIt() {
        watch(Optional.of("ZooKeeper here"), "\n").run(shows("a", "away", "b"), end);

        assertTrue(printed().startsWith("\u001b[2J\u001b[HZooKeeper here, every 0 s, now 20"), printed());
        assertEquals(3, printed().split("\u001b\\[H", -1).length - 1, printed());
        assertEquals(1, printed().split("\u001b\\[2J", -1).length - 1, printed());
        assertTrue(
                printed()
                        .matches("(?s).*\na\u001b\\[K\n\u001b\\[K\n20[^\n]+ ZooKeeper cannot be asked: no answer"
                                + "[^\n]+above is what was seen before.*\nb\u001b\\[K\n\u001b\\[J"),
                printed());
        assertEquals("", err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldFailWhereItIsNotZooKeeper() {
        assertThrows(
                IllegalStateException.class,
                () -> watch(Optional.empty(), "\n")
                        .run(
                                () -> {
                                    throw new IllegalStateException("a mistake of ours");
                                },
                                end));
    }

    /** The process ends well, once everything is closed, and not before. */
    @Test
    void shouldEndTheProcessWhenAllIsClosed() throws InterruptedException {
        Thread signal = new Thread(end::end);
        signal.start();
        while (!end.toldWithin(MOMENT)) {
            Thread.onSpinWait();
        }
        assertEquals(0, halted.get());
        end.close();
        signal.join();
        assertEquals(1, halted.get());
    }

    @Test
    void shouldGoOnForAsLongAsNobodyEndsIt() {
        assertFalse(end.toldWithin(MOMENT));
        end.close();
        assertEquals(0, halted.get());
    }
}
