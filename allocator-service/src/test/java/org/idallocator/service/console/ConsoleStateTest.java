package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Json;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.console.ConsoleState.OfScheme;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.ids.Limit;
import org.idallocator.service.metrics.DropwizardMetrics;
import org.idallocator.service.metrics.IdMetrics;
import org.idallocator.service.metrics.IdMetrics.Drawn;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.Said;
import org.idallocator.zk.operator.ClusterState;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.znode.LeaseNode;
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
    private ClusterState fleet = new ClusterState(List.of(), List.of());

    private final IdMetrics metrics =
            new IdMetrics(new PrometheusRegistry(), new DropwizardMetrics(new MetricRegistry()), Schemes.all());
    private final Console console = console(Optional.of(metrics));

    ConsoleStateTest() {
        HealthSetup.register(checks, source, Duration.ofSeconds(10));
    }

    private Console console(Optional<IdMetrics> counted) {
        return new Console(
                source,
                AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of("zk1:2181")),
                checks,
                counted,
                new ClusterWatch(this::look, task -> background = Optional.of(task), clock));
    }

    private ClusterState look() {
        failure.ifPresent(why -> {
            throw why;
        });
        return fleet;
    }

    private ConsoleState state(String seen) {
        return console.state(seen, OPERATOR, Visibility.OPERATOR);
    }

    @Test
    void shouldSayWhyASchemeIsFencedInTheWordsOfItsReason() {
        source.fence("sno", FenceReason.CLOCK_SKEW);
        metrics.listener("sno").issued(3);
        metrics.listener("sno").failed(new IllegalStateException());
        metrics.busy(Limit.REQUESTS);
        ConsoleState state = state("");
        OfScheme sno = state.schemes().get(0);

        assertFalse(state.ready());
        assertEquals("fenced", sno.state());
        assertEquals(Optional.of(FenceReason.CLOCK_SKEW.sentence()), sno.detail());
        assertEquals(new Drawn(3, Map.of("error", 1L)), sno.drawn());
        assertEquals(Map.of("requests", 1L, "streams", 0L), state.busy());
    }

    @Test
    void shouldSayNothingOfWhatNobodyCounts() {
        ConsoleState state = console(Optional.empty()).state("", OPERATOR, Visibility.OPERATOR);
        JsonNode told = Json.get().valueToTree(state);
        JsonNode sno = told.path("schemes").path(0);

        assertFalse(sno.has("issued") || sno.has("refused"), sno.toString());
        assertFalse(told.has("busy"), told.toString());
        assertTrue(Json.get().valueToTree(state("")).findPath("issued").isNumber());
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

    private JsonNode shown(ClusterState shown, Optional<ApplicationPort> application, Visibility visibility)
            throws IOException {
        fleet = shown;
        console.state("", application, visibility);
        background.orElseThrow().run();
        return new ObjectMapper().readTree(visibility.json(console.state("", application, visibility)));
    }

    private JsonNode pool(PoolView.Counts counts, List<LeaseView> slots) throws IOException {
        ClusterState one = new ClusterState(List.of(new PoolView(counts, slots)), List.of());
        return shown(one, OPERATOR, Visibility.OPERATOR).at("/cluster/pools/0");
    }

    private static LeaseView slot(String scheme, String name, LeaseView.State state) {
        return new LeaseView(scheme, name, state, null, null, null, null, null, "", "", null);
    }

    /** As ZooKeeper has it, the pool may be of another size than the one that is configured. */
    @Test
    void shouldNameEverySlotOfASmallPoolAndTellOfThoseThatAreNotFree() throws IOException {
        PoolView.Counts counts = new PoolView.Counts("eightbyte", 128, 1, 127, 0, 0, 0);
        List<LeaseView> slots = List.of(
                slot("eightbyte", "001", LeaseView.State.FREE),
                slot("eightbyte", "002", LeaseView.State.COOLING),
                slot("eightbyte", "003", LeaseView.State.HELD));
        JsonNode pool = pool(counts, slots);

        assertEquals(128, pool.path("names").size());
        assertEquals("127", pool.path("names").path(127).asText());
        assertEquals(List.of("003", "002"), pool.path("slots").findValuesAsText("slot"));
        assertEquals(128, pool.path("counts").path("size").asInt());
    }

    @Test
    void shouldTellOfALargePoolWhatIsNotFreeAsFarAsThereIsRoom() throws IOException {
        PoolView.Counts counts = new PoolView.Counts("muid", 1 << 20, 1, 0, 0, 0, 0);
        Stream<LeaseView> cooling = IntStream.range(0, 1_030)
                .mapToObj(number -> slot("muid", Integer.toString(number), LeaseView.State.COOLING));
        List<LeaseView> slots = Stream.concat(cooling, Stream.of(slot("muid", "held", LeaseView.State.HELD)))
                .toList();
        JsonNode pool = pool(counts, slots);

        assertEquals(0, pool.path("names").size());
        assertEquals(1_024, pool.path("slots").size());
        assertEquals("held", pool.path("slots").path(0).path("slot").asText());
    }

    /** Where a node cannot be read, the reason may quote it. */
    @Test
    void shouldTellTheWordsOfFailuresAndWhoIsWhereToOperatorsAlone() throws IOException {
        PoolView.Counts counts = new PoolView.Counts("eightbyte", 64, 1, 63, 0, 0, 0);
        LeaseNode lease = new LeaseNode(1, "02", "a-secret", "a-secret", "a-secret", 17, "", "a-secret", Instant.EPOCH);
        LeaseView held = new LeaseView(
                "eightbyte", "02", LeaseView.State.HELD, null, null, null, null, lease, "/a-secret", "/a-secret", null);
        LeaseView broken = new LeaseView(
                "eightbyte", "03", LeaseView.State.UNREADABLE, null, null, null, null, null, "", "", "a-secret");
        MemberView member = new MemberView(
                "a-secret", "a-secret", 17L, "a-secret", "a-secret", Instant.EPOCH, "1", 3L, List.of(), "a-secret");
        ClusterState fleet = new ClusterState(List.of(new PoolView(counts, List.of(held, broken))), List.of(member));
        String told = shown(fleet, OPERATOR, Visibility.OPERATOR).toString();
        JsonNode untold = shown(fleet, Optional.empty(), new Visibility(false));

        assertEquals(13, told.split("a-secret", -1).length, told);
        assertFalse(untold.toString().contains("secret") || untold.toString().contains("\"pid\""), untold.toString());
        assertEquals("held", untold.findPath("slots").path(0).path("state").asText());
        assertTrue(untold.path("replica").isMissingNode(), untold.toString());
    }
}
