package org.idallocator.dropwizard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.health.HealthCheckRegistry;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.Json;
import org.idallocator.dropwizard.api.PublicProperties;
import org.idallocator.dropwizard.api.SchemeState;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.console.ConsoleState.SchemeView;
import org.idallocator.dropwizard.health.ClusterWatch;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.dropwizard.ids.IdListener;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.metrics.IdMetrics;
import org.idallocator.dropwizard.metrics.IdMetrics.Drawn;
import org.idallocator.dropwizard.metrics.Meters;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.dropwizard.testing.Said;
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

    private final IdMetrics metrics = new IdMetrics(new Meters(new MetricRegistry()), Schemes.all());
    private final Console console = console(() -> Optional.of(metrics));

    ConsoleStateTest() {
        HealthSetup.register(checks, source, Duration.ofSeconds(10));
    }

    private Console console(Supplier<Optional<IdMetrics>> draws) {
        return new Console(
                source,
                AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of("zk1:2181")),
                checks,
                draws,
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
    void shouldSayWhyASchemeIsFencedInTheWordsOfItsReasonAndWhatWasDrawn() throws IOException {
        source.fence("sno", FenceReason.CLOCK_SKEW);
        IdListener drawn = metrics.listener("sno");
        drawn.issued(3);
        drawn.issued(2);
        drawn.failed(new IllegalStateException());
        drawn.failed(new FencedException(FenceReason.CLOCK_SKEW, "behind", Duration.ofSeconds(1)));
        metrics.countBusy(Limit.REQUESTS);
        ConsoleState state = state("");
        SchemeView sno = state.schemes().get(0);
        JsonNode toPublic = new ObjectMapper().readTree(new Visibility(false).json(state));

        assertFalse(state.ready());
        assertEquals(SchemeState.FENCED, sno.state());
        assertEquals(Optional.of("clock-skew"), sno.reason());
        assertEquals("clock-skew", toPublic.at("/schemes/0/reason").asText());
        assertEquals(Optional.of(FenceReason.CLOCK_SKEW.sentence()), sno.detail());
        assertEquals(new Drawn(5, Map.of("clock-skew", 1L, "error", 1L)), sno.drawn());
        assertEquals(new Drawn(0, Map.of()), state.schemes().get(1).drawn());
        assertEquals(Map.of("requests", 1L, "streams", 0L, "bodies", 0L, "connections", 0L), state.busy());
    }

    /** A program may install its parts in any order. */
    @Test
    void shouldSayWhatRoutesDrawThatCameAfterTheConsole() {
        AtomicReference<Optional<IdMetrics>> draws = new AtomicReference<>(Optional.empty());
        Console early = console(draws::get);

        draws.set(Optional.of(metrics));
        metrics.listener("sno").issued(7);

        ConsoleState state = early.state("", OPERATOR, Visibility.OPERATOR);
        assertEquals(new Drawn(7, Map.of()), state.schemes().get(0).drawn());
    }

    @Test
    void shouldSayNothingOfWhatNobodyCounts() {
        JsonNode told = Json.get().valueToTree(console(Optional::empty).state("", OPERATOR, Visibility.OPERATOR));

        for (String word : List.of("issued", "refused", "busy")) {
            assertNotNull(Json.get().valueToTree(state("")).findValue(word), word);
            assertNull(told.findValue(word), word);
        }
    }

    @Test
    void shouldSayThatTheReplicaIsAboutToBeDrained() {
        assertTrue(state("").ready() && !state("").leaving());
        source.leave();
        assertTrue(state("").leaving() && !state("").ready());
        assertEquals(SchemeState.ACTIVE, state("").schemes().get(0).state());
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

    private JsonNode pool(String scheme, long size, List<LeaseView> slots) throws IOException {
        PoolView pool = new PoolView(new PoolView.Counts(scheme, size, 1, 0, 0, 0, 0), slots);
        ClusterState one = new ClusterState(List.of(pool), List.of());
        return shown(one, OPERATOR, Visibility.OPERATOR).at("/cluster/pools/0");
    }

    private static LeaseView slot(String name, LeaseView.State state) {
        return new LeaseView("eightbyte", name, state, null, null, null, null, null, "", "", null);
    }

    /** As ZooKeeper has it, the pool may be of another size than the one that is configured. */
    @Test
    void shouldNameEverySlotOfASmallPoolAndTellOfThoseThatAreNotFreeAsFarAsThereIsRoom() throws IOException {
        LeaseView held = slot("003", LeaseView.State.HELD);
        JsonNode small = pool(
                "eightbyte",
                128,
                List.of(slot("001", LeaseView.State.FREE), slot("002", LeaseView.State.COOLING), held));
        JsonNode large = pool(
                "muid",
                1 << 20,
                Stream.concat(
                                Stream.generate(() -> slot("004", LeaseView.State.COOLING))
                                        .limit(1_030),
                                Stream.of(held))
                        .toList());

        assertEquals(128, small.path("names").size());
        assertEquals("127", small.path("names").path(127).asText());
        assertEquals(List.of("003", "002"), small.path("slots").findValuesAsText("slot"));
        assertEquals(128, small.at("/counts/size").asInt());
        assertEquals(0, large.path("names").size());
        assertEquals(1_024, large.path("slots").size());
        assertEquals("003", large.at("/slots/0/slot").asText());
    }

    @Test
    void shouldListWhatThePublicIsToldOfEachPart() {
        Stream.concat(Stream.of(ConsoleState.class), Stream.of(ConsoleState.class.getDeclaredClasses()))
                .forEach(part -> {
                    PublicProperties listed = part.getAnnotation(PublicProperties.class);
                    assertNotNull(listed, part.getName());
                    List<String> all = Stream.of(part.getRecordComponents())
                            .map(RecordComponent::getName)
                            .toList();
                    assertTrue(all.containsAll(List.of(listed.value())), part.getName());
                });
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
