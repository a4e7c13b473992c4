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
import org.idallocator.service.cli.terminal.TerminalSize;
import org.idallocator.zk.operator.OnStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a watch prints, and how it ends. */
class WatchTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicInteger halted = new AtomicInteger();
    private final WatchEnd end = new WatchEnd(halted::incrementAndGet);

    private static Optional<Screen> screen(Optional<TerminalSize> size) {
        return Optional.of(new Screen("ZooKeeper here", () -> size));
    }

    private Watch watch(Optional<Screen> screen, String gap) {
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
        watch(screen(Optional.empty()), "\n").run(shows("a", "away", "b"), end);

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

    /** The lines of the last frame, as the terminal shows them. */
    private List<String> shown() {
        String[] frames = printed().split("\u001b\\[H", -1);
        return frames[frames.length - 1]
                .replaceAll("\u001b\\[[KJ]", "")
                .replaceFirst(", every.*", "")
                .lines()
                .toList();
    }

    /** The cursor is in the last row. A longer screen would scroll each time. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            6  | h,a,b         | ZooKeeper here,,h,a,b
            6  | h,a,b,c       | ZooKeeper here,,h,a,... and 2 more, for which this terminal of 6 rows has no room
            7  | h,a,b,c       | ZooKeeper here,,h,a,b,c
            4  | h,a,b,c       | ZooKeeper here,,... and 4 more, for which this terminal of 4 rows has no room
            """)
    void shouldShowWhatFitsAndSayHowMuchDoesNot(int rows, String table, String expected) {
        watch(screen(Optional.of(new TerminalSize(rows, 80))), "\n").run(shows(table.replace(',', '\n')), end);

        assertEquals(expected, String.join(",", shown()));
        assertTrue(shown().size() < rows, printed());
    }

    /** A line that is longer than a row takes several. */
    @Test
    void shouldCountRowsAndNotLines() {
        String wide = "x".repeat(161);
        watch(screen(Optional.of(new TerminalSize(10, 80))), "\n").run(shows(String.join("\n", wide, wide, wide)), end);

        assertEquals(
                List.of(
                        "ZooKeeper here",
                        "",
                        wide,
                        wide,
                        "... and 1 more, for which this terminal of 10 rows has no room"),
                shown());
    }

    @Test
    void shouldSayThatZooKeeperIsAwayWhereTheTableDoesNotFit() {
        watch(screen(Optional.of(new TerminalSize(9, 200))), "\n").run(shows("h\na\nb\nc\nd", "away"), end);

        assertEquals(
                List.of(
                        "ZooKeeper here",
                        "",
                        "h",
                        "a",
                        "b",
                        "... and 2 more, for which this terminal of 9 rows has no room"),
                shown().subList(0, 6));
        assertEquals(8, shown().size());
        assertTrue(shown().get(7).endsWith("; above is what was seen before"), printed());
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
