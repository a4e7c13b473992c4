package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.zk.operator.FleetView;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {
    private static final long SECOND_MICROS = 1_000_000;

    private final ScriptedClock clock = new ScriptedClock(SECOND_MICROS);
    private final Queue<Runnable> background = new ArrayDeque<>();
    private int asked;
    private int askedForStrangers;
    private boolean silent;
    private final ClusterWatch watch = new ClusterWatch(this::look, this::strangers, background::add, clock);

    private FleetView look() {
        asked++;
        if (silent) {
            throw new IllegalStateException("nobody answers");
        }
        return new FleetView(List.of(), List.of());
    }

    private Optional<String> strangers() {
        return Optional.of("strangers may write, says look " + ++askedForStrangers);
    }

    /** Each node is asked for. */
    @Test
    void shouldAskOnceAMinuteWhichNodesStrangersMayWrite() {
        for (int i = 0; i < 21; i++) {
            watch.seen();
            runBackground();
            clock.advance(Duration.ofSeconds(3));
        }
        assertEquals(21, asked);
        assertEquals(2, askedForStrangers);
        assertEquals(
                Optional.of("strangers may write, says look 2"),
                watch.seen().look().orElseThrow().strangers().words());
    }

    private void runBackground() {
        while (!background.isEmpty()) {
            background.remove().run();
        }
    }

    @Test
    void shouldAskOnceForAllWhoLookAndNeverWhileTheyWait() {
        for (int i = 0; i < 10; i++) {
            assertEquals(Optional.empty(), watch.seen().look());
        }
        assertEquals(0, asked);
        runBackground();

        assertTrue(watch.seen().look().isPresent());
        assertTrue(background.isEmpty(), "what was just seen is not asked for again");
        assertEquals(1, asked);
    }

    @Test
    void shouldAskAgainWhenALookIsOldAndSomebodyLooks() {
        watch.seen();
        runBackground();
        clock.advance(Duration.ofSeconds(3));
        runBackground();
        assertEquals(1, asked, "nobody looks");

        ClusterWatch.Look first = watch.seen().look().orElseThrow();
        assertEquals(Duration.ofSeconds(3), watch.age(first));
        runBackground();

        assertEquals(2, asked);
        assertEquals(Duration.ZERO, watch.age(watch.seen().look().orElseThrow()));
    }

    @Test
    void shouldKeepWhatWasSeenAndSayWhyThereIsNothingNewer() {
        try (Unheard log = new Unheard()) {
            failAfterALook();
            assertEquals(
                    1,
                    log.lines().stream()
                            .filter(line -> line.startsWith("WARN "))
                            .count(),
                    log.lines().toString());
        }
        ClusterWatch.Seen seen = watch.seen();

        assertEquals(Optional.of("nobody answers"), seen.failure());
        assertEquals(Duration.ofSeconds(12), watch.age(seen.look().orElseThrow()));

        silent = false;
        runBackground();
        assertEquals(Optional.empty(), watch.seen().failure());
    }

    private void failAfterALook() {
        watch.seen();
        runBackground();
        silent = true;
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(3));
            watch.seen();
            runBackground();
        }
        clock.advance(Duration.ofSeconds(3));
    }

    @Test
    void shouldAskNoMoreOftenWhileNobodyAnswers() {
        silent = true;
        try (Unheard log = new Unheard()) {
            for (int i = 0; i < 10; i++) {
                watch.seen();
                runBackground();
                clock.advance(Duration.ofMillis(290));
            }
            assertEquals(1, asked);
            assertEquals(Optional.of("nobody answers"), watch.seen().failure());
            clock.advance(Duration.ofMillis(100));
            watch.seen();
            runBackground();
            assertEquals(2, asked);
            assertTrue(log.lines().get(0).startsWith("WARN "), log.lines().toString());
        }
    }
}
