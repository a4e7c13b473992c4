package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.health.HealthCheckRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.console.ConsoleState.OfScheme;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.metrics.IdMetrics.Drawn;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.Said;
import org.idallocator.zk.operator.FleetView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;

/** What the console says of a replica that is not well. */
class ConsoleStateTest {
    /** What the console of the admin port shows beside the state. */
    private static final Optional<ApplicationPort> OPERATOR = Optional.of(new ApplicationPort("http", 8080, "/"));

    private final ObedientSource source = new ObedientSource();
    private final HealthCheckRegistry checks = new HealthCheckRegistry();
    private final ScriptedClock clock = new ScriptedClock(0);
    private Optional<Runnable> background = Optional.empty();
    private Optional<RuntimeException> failure = Optional.empty();

    private final Console console = console(Optional.of(
            new Console.Counts(scheme -> new Drawn(3, Map.of("clock-skew", 2L)), () -> Map.of("requests", 7L))));

    ConsoleStateTest() {
        HealthSetup.register(checks, source, Duration.ofSeconds(10));
    }

    private Console console(Optional<Console.Counts> counts) {
        return new Console(
                source,
                AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of("zk1:2181")),
                checks,
                counts,
                new ClusterWatch(this::look, task -> background = Optional.of(task), clock));
    }

    private FleetView look() {
        failure.ifPresent(why -> {
            throw why;
        });
        return new FleetView(List.of(), List.of());
    }

    private ConsoleState state(String seen) {
        return console.state(seen, OPERATOR, Visibility.OPERATOR);
    }

    @Test
    void shouldSayWhyASchemeIsFencedInTheWordsOfItsReason() {
        source.fence("sno", FenceReason.CLOCK_SKEW);
        ConsoleState state = state("");
        OfScheme sno = state.schemes().get(0);

        assertFalse(state.ready());
        assertEquals("fenced", sno.state());
        assertEquals(Optional.of("clock-skew"), sno.reason());
        assertEquals(Optional.of(FenceReason.CLOCK_SKEW.sentence()), sno.detail());
        assertEquals(3, sno.issued());
        assertEquals(Map.of("clock-skew", 2L), sno.refused());
        assertEquals(Map.of("requests", 7L), state.busy());
    }

    @Test
    void shouldSayNullOfWhatNobodyCounts() {
        ConsoleState state = console(Optional.empty()).state("", OPERATOR, Visibility.OPERATOR);
        JsonNode told = AnswerMapper.get().valueToTree(state);
        JsonNode sno = told.path("schemes").path(0);

        assertTrue(sno.path("issued").isNull(), sno.toString());
        assertTrue(sno.path("refused").isNull(), sno.toString());
        assertTrue(told.path("busy").isNull(), told.toString());
    }

    @Test
    void shouldSayThatTheReplicaIsReadyWhenAllServe() {
        assertTrue(state("").ready());
        assertFalse(state("").leaving());
        assertEquals("active", state("").schemes().get(0).state());
    }

    @Test
    void shouldSayThatTheReplicaIsAboutToBeDrained() {
        source.leave();

        assertFalse(state("").ready());
        assertTrue(state("").leaving());
        assertEquals("active", state("").schemes().get(0).state());
    }

    @Test
    void shouldTellWhatWasSeenAndHowOldThatIsWhenZooKeeperIsAway() {
        assertEquals(Optional.empty(), state("").cluster().look());
        background.orElseThrow().run();
        String look = state("").cluster().look().orElseThrow();
        failure = Optional.of(new IllegalStateException("nobody answers"));
        clock.advance(Duration.ofMillis(61_500));
        state("");
        try (Said said = new Said(ClusterWatch.class)) {
            background.orElseThrow().run();
            assertFalse(said.lines().isEmpty());
        }
        ConsoleState.Cluster cluster = state("").cluster();

        assertEquals(Optional.of(look), cluster.look());
        assertEquals(Optional.of(61_500L), cluster.ageMillis());
        assertEquals(Optional.of("nobody answers"), cluster.failure());
        assertTrue(cluster.pools().isPresent());
        assertTrue(state(look).cluster().pools().isEmpty(), "the browser has them");
        assertEquals(
                Optional.of("ZooKeeper does not answer"),
                console.state("", Optional.empty(), new Visibility(false))
                        .cluster()
                        .failure());
    }
}
