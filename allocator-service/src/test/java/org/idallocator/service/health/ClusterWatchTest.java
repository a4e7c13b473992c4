package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.service.testing.Said;
import org.idallocator.zk.operator.ClusterState;
import org.junit.jupiter.api.Test;

/** When ZooKeeper is asked, and what people and scrapers are told meanwhile. */
class ClusterWatchTest {
    private static final long SECOND_MICROS = 1_000_000;
    private static final Duration ALMOST = Duration.ofNanos(1);

    private final ScriptedClock clock = new ScriptedClock(SECOND_MICROS);
    private final Queue<Runnable> background = new ArrayDeque<>();
    private Duration lasts = Duration.ZERO;
    private int asked;
    private boolean silent;
    private boolean broken;
    private boolean stopped;
    private final ClusterWatch watch = new ClusterWatch(this::look, this::run, clock);

    private ClusterState look() {
        asked++;
        clock.advance(lasts);
        if (broken) {
            throw new AssertionError("a mistake in the program");
        }
        if (silent) {
            throw new IllegalStateException("nobody answers");
        }
        return new ClusterState(List.of(), List.of());
    }

    private void run(Runnable task) {
        if (stopped) {
            throw new RejectedExecutionException("stopped");
        }
        background.add(task);
    }

    private void runBackground() {
        while (!background.isEmpty()) {
            background.remove().run();
        }
    }

    private ClusterWatch.Seen seenAfter(Duration wait) {
        clock.advance(wait);
        watch.seen();
        runBackground();
        return watch.seen();
    }

    private Optional<Duration> recentAfter(Duration wait) {
        clock.advance(wait);
        watch.recent();
        runBackground();
        return watch.recent().map(watch::age);
    }

    // --- When ZooKeeper is asked.

    @Test
    void shouldAskOnceForAllWhoLookAndNeverWhileTheyWait() {
        for (int i = 0; i < 10; i++) {
            assertEquals(Optional.empty(), watch.seen().look());
            assertEquals(Optional.empty(), watch.recent());
        }
        assertEquals(0, asked);
        runBackground();

        assertTrue(watch.seen().look().isPresent());
        assertTrue(watch.recent().isPresent());
        assertTrue(background.isEmpty(), "what was just seen is not asked for again");
        assertEquals(1, asked);
    }

    @Test
    void shouldAskAgainWhenALookIsOldAndSomebodyLooks() {
        seenAfter(Duration.ZERO);
        clock.advance(ClusterWatch.FAST);
        runBackground();
        assertEquals(1, asked, "nobody looks");

        assertEquals(ClusterWatch.FAST, watch.age(watch.seen().look().orElseThrow()));
        runBackground();

        assertEquals(2, asked);
        assertEquals(Duration.ZERO, watch.age(watch.seen().look().orElseThrow()));
    }

    @Test
    void shouldAskSeldomForScrapersAlone() {
        recentAfter(Duration.ZERO);
        assertEquals(Optional.of(ClusterWatch.SLOW.minus(ALMOST)), recentAfter(ClusterWatch.SLOW.minus(ALMOST)));
        assertEquals(1, asked);

        assertEquals(Optional.of(Duration.ZERO), recentAfter(ALMOST));
        assertEquals(2, asked);
    }

    @Test
    void shouldTellScrapersWhatWasSeenForPeople() {
        recentAfter(Duration.ZERO);
        seenAfter(Duration.ofSeconds(20));

        assertEquals(Optional.of(Duration.ofSeconds(20)), recentAfter(Duration.ofSeconds(20)));
        assertEquals(2, asked);
    }

    /** However slow ZooKeeper is, it is left alone between two looks. */
    @Test
    void shouldCountThePauseFromTheEndOfALook() {
        lasts = Duration.ofSeconds(20);
        seenAfter(Duration.ZERO);
        seenAfter(ClusterWatch.FAST.minus(ALMOST));
        assertEquals(1, asked);

        seenAfter(ALMOST);
        assertEquals(2, asked);
    }

    @Test
    void shouldAskNoMoreOftenWhileNobodyAnswers() {
        silent = true;
        try (Said said = new Said(ClusterWatch.class)) {
            seenAfter(Duration.ZERO);
            assertEquals(
                    Optional.of("nobody answers"),
                    seenAfter(ClusterWatch.FAST.minus(ALMOST)).failure());
            assertEquals(1, asked);

            seenAfter(ALMOST);
            assertEquals(2, asked);
            assertEquals(List.of("ZooKeeper cannot be asked for pools and replicas"), said.lines());
        }
    }

    @Test
    void shouldAskAgainAfterAnError() {
        broken = true;
        assertThrows(AssertionError.class, () -> seenAfter(Duration.ZERO));
        broken = false;

        assertTrue(seenAfter(ClusterWatch.FAST).look().isPresent());
    }

    @Test
    void shouldGoOnTellingWhatWasSeenWhenTheProgramStops() {
        seenAfter(Duration.ZERO);
        stopped = true;

        for (int i = 0; i < 2; i++) {
            assertTrue(seenAfter(ClusterWatch.FAST).look().isPresent());
        }
        assertEquals(1, asked);
    }

    // --- What is told.

    @Test
    void shouldCountTheAgeFromTheQuestion() {
        lasts = Duration.ofSeconds(20);
        ClusterWatch.Look look = seenAfter(Duration.ZERO).look().orElseThrow();

        assertEquals(lasts, watch.age(look));
        assertEquals(Instant.ofEpochSecond(1), look.at());
    }

    @Test
    void shouldKeepWhatWasSeenForPeopleAndSayWhyThereIsNothingNewer() {
        seenAfter(Duration.ZERO);
        silent = true;
        try (Said said = new Said(ClusterWatch.class)) {
            seenAfter(ClusterWatch.FAST);
            seenAfter(ClusterWatch.FAST);
            ClusterWatch.Seen seen = seenAfter(ClusterWatch.FAST);

            assertEquals(Optional.of("nobody answers"), seen.failure());
            assertEquals(
                    ClusterWatch.FAST.multipliedBy(3), watch.age(seen.look().orElseThrow()));
            assertEquals(4, asked);
            assertEquals(1, said.lines().size(), said.lines().toString());

            silent = false;
            assertEquals(Optional.empty(), seenAfter(ClusterWatch.FAST).failure());
            silent = true;
            seenAfter(ClusterWatch.FAST);
            assertEquals(2, said.lines().size(), "another outage");
        }
    }

    @Test
    void shouldTellScrapersNothingWhileNobodyAnswers() {
        recentAfter(Duration.ZERO);
        silent = true;
        try (Said said = new Said(ClusterWatch.class)) {
            assertEquals(Optional.empty(), recentAfter(ClusterWatch.SLOW));
            assertEquals(1, said.lines().size(), said.lines().toString());
        }
        silent = false;

        assertEquals(Optional.of(Duration.ZERO), recentAfter(ClusterWatch.SLOW));
    }

    @Test
    void shouldTellScrapersNothingThatWasSeenLongAgo() {
        recentAfter(Duration.ZERO);
        clock.advance(ClusterWatch.OLDEST);
        assertEquals(Optional.of(ClusterWatch.OLDEST), watch.recent().map(watch::age));

        clock.advance(ALMOST);
        assertEquals(Optional.empty(), watch.recent());
    }
}
