package org.idallocator.dropwizard.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.zk.operator.ClusterState;
import org.junit.jupiter.api.Test;

/** When ZooKeeper is asked, and what people and scrapers are told meanwhile. */
class ClusterWatchTest {
    private static final long SECOND_MICROS = 1_000_000;
    private static final Duration ALMOST = Duration.ofNanos(1);

    private final ScriptedClock clock = new ScriptedClock(SECOND_MICROS);
    private final Queue<Runnable> background = new ArrayDeque<>();
    private Executor executor = background::add;
    private Runnable answering = () -> {};
    private Duration lasts = Duration.ZERO;
    private int asked;
    private final ClusterWatch watch = new ClusterWatch(this::look, task -> executor.execute(task), clock);

    private ClusterState look() {
        asked++;
        clock.advance(lasts);
        answering.run();
        return new ClusterState(List.of(), List.of());
    }

    private void beSilent() {
        answering = () -> {
            throw new IllegalStateException("nobody answers");
        };
    }

    private void runBackground() {
        while (!background.isEmpty()) {
            background.remove().run();
        }
    }

    private ClusterWatch.Snapshot seenAfter(Duration wait) {
        clock.advance(wait);
        watch.snapshot();
        runBackground();
        return watch.snapshot();
    }

    private Optional<Duration> recentAfter(Duration wait) {
        clock.advance(wait);
        watch.recent();
        runBackground();
        return watch.recent().map(watch::age);
    }

    @Test
    void shouldAskOnceForAllWhoLookAndNeverWhileTheyWait() {
        for (int i = 0; i < 10; i++) {
            assertEquals(Optional.empty(), watch.snapshot().observation());
            assertEquals(Optional.empty(), watch.recent());
        }
        assertEquals(0, asked);
        runBackground();

        assertTrue(watch.snapshot().observation().isPresent() && watch.recent().isPresent());
        assertTrue(background.isEmpty(), "what was just seen is not asked for again");
        assertEquals(1, asked);
    }

    /** However slow ZooKeeper is, it is left alone between two looks; and what is seen is as old as the question. */
    @Test
    void shouldAskAgainAPauseAfterTheEndOfALookWhenSomebodyLooks() {
        lasts = Duration.ofSeconds(20);
        ClusterWatch.Observation observation =
                seenAfter(Duration.ZERO).observation().orElseThrow();
        assertEquals(lasts, watch.age(observation));
        assertEquals(Instant.ofEpochSecond(1), observation.at());

        seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE.minus(ALMOST));
        clock.advance(ALMOST);
        runBackground();
        assertEquals(1, asked, "nobody looks");

        assertEquals(lasts, watch.age(seenAfter(Duration.ZERO).observation().orElseThrow()));
        assertEquals(2, asked);
    }

    @Test
    void shouldAskSeldomForScrapersAloneAndTellThemNothingOld() {
        recentAfter(Duration.ZERO);
        assertEquals(
                Optional.of(ClusterWatch.PAUSE_FOR_SCRAPERS.minus(ALMOST)),
                recentAfter(ClusterWatch.PAUSE_FOR_SCRAPERS.minus(ALMOST)));
        assertEquals(1, asked);
        assertEquals(Optional.of(Duration.ZERO), recentAfter(ALMOST));
        assertEquals(2, asked);

        Duration pause = Duration.ofSeconds(20);
        seenAfter(pause);
        assertEquals(Optional.of(pause), recentAfter(pause), "what was seen for people");
        assertEquals(3, asked);

        clock.advance(ClusterWatch.MAX_AGE_FOR_SCRAPERS.minus(pause));
        assertEquals(
                Optional.of(ClusterWatch.MAX_AGE_FOR_SCRAPERS), watch.recent().map(watch::age));
        clock.advance(ALMOST);
        assertEquals(Optional.empty(), watch.recent());
    }

    @Test
    void shouldKeepWhatWasSeenForPeopleAloneAndSayWhyThereIsNothingNewer() {
        seenAfter(Duration.ZERO);
        beSilent();
        try (Said said = new Said(ClusterWatch.class)) {
            seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE);
            ClusterWatch.Snapshot snapshot = seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE);
            assertEquals(Optional.of("nobody answers"), snapshot.failure());
            assertEquals(
                    ClusterWatch.PAUSE_FOR_PEOPLE.multipliedBy(2),
                    watch.age(snapshot.observation().orElseThrow()));
            assertEquals(Optional.empty(), watch.recent());
            assertEquals(List.of("ZooKeeper cannot be asked for pools and replicas"), said.lines());
            seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE.minus(ALMOST));
            assertEquals(3, asked, "no more often than else");

            answering = () -> {};
            assertEquals(Optional.empty(), seenAfter(ALMOST).failure());
            assertEquals(Optional.of(Duration.ZERO), watch.recent().map(watch::age));
            beSilent();
            seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE);
            assertEquals(2, said.lines().size(), "another outage");
        }
    }

    @Test
    void shouldAskAgainAfterAnError() {
        answering = () -> {
            throw new AssertionError("a mistake in the program");
        };
        assertThrows(AssertionError.class, () -> seenAfter(Duration.ZERO));
        answering = () -> {};

        assertTrue(seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE).observation().isPresent());
    }

    @Test
    void shouldGoOnTellingWhatWasSeenWhenTheProgramStops() {
        seenAfter(Duration.ZERO);
        executor = task -> {
            throw new RejectedExecutionException("stopped");
        };

        for (int i = 0; i < 2; i++) {
            assertTrue(seenAfter(ClusterWatch.PAUSE_FOR_PEOPLE).observation().isPresent());
        }
        assertEquals(1, asked);
    }
}
