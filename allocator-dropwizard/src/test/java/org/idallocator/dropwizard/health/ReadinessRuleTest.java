package org.idallocator.dropwizard.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.health.DefaultHealthFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.zk.lease.Outage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadinessRuleTest {
    private final ObedientSource source = new ObedientSource();
    private final List<Scheme<?>> leased = source.schemes().stream()
            .filter(scheme -> scheme.pool().isPresent())
            .toList();
    private final ScriptedClock clock = new ScriptedClock(0);
    private final Readiness readiness = new Readiness(source, leased, clock);

    /**
     * Readiness is looked at after each step; a scheme that has served once is missed, one that has not is waited for.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            all STARTING                                           | false
            eightbyte NO_FREE_SLOT                                 | true
            eightbyte NO_FREE_SLOT, eightbyte UNREACHABLE          | true
            eightbyte NO_FREE_SLOT, eightbyte COOLING              | true
            eightbyte NO_FREE_SLOT, eightbyte STARTING             | true
            eightbyte NO_FREE_SLOT, eightbyte LAYOUT_MISMATCH      | false
            eightbyte NO_FREE_SLOT, serve, eightbyte UNREACHABLE   | false
            eightbyte NO_FREE_SLOT, serve, eightbyte NO_FREE_SLOT  | false
            serve, eightbyte NO_FREE_SLOT                          | false
            """)
    void shouldBeReadyUnlessASchemeIsAwaitedOrMissed(String steps, boolean ready) {
        List<Boolean> seen =
                Stream.of(steps.split(", ", -1)).map(this::readyAfter).toList();
        assertEquals(ready, seen.get(seen.size() - 1));
    }

    private boolean readyAfter(String step) {
        String[] words = step.split(" ", -1);
        switch (words[0]) {
            case "serve" -> source.serve();
            case "all" -> source.fenceAll(FenceReason.valueOf(words[1]));
            default -> source.fence(words[0], FenceReason.valueOf(words[1]));
        }
        return readiness.check().isHealthy();
    }

    @Test
    void shouldSayWhatIsMissed() {
        source.fenceAll(FenceReason.NO_FREE_SLOT);
        assertSays("no scheme has a slot", null);
        source.serve();
        assertSays(null, null);
        source.fence("uid60", FenceReason.STARTING);
        assertSays("uid60: " + FenceReason.STARTING.sentence(), null);
        source.fenceAll(FenceReason.DRAINED);
        assertSays(FenceReason.DRAINED.sentence(), FenceReason.DRAINED.sentence());
        source.serve();
        source.leave(); // the schemes serve all the while
        String leaving = "this replica is about to be drained by its operator, and serves until then";
        assertSays(leaving, leaving);
        source.serve();
        source.slots("uid60", 2, 2);
        assertSays(null, null);
        source.slots("uid60", 1, 2);
        assertSays("uid60: 1 of 2 slots serve: " + FenceReason.NO_FREE_SLOT.sentence(), null);
    }

    @Test
    void shouldBeReadyWhileWhatIsReservedLastsAndSayHowLong() {
        Instant since = Instant.parse("2026-01-01T12:00:00Z");
        source.cutOff(new Outage(
                since,
                Map.of("sno", since.plusSeconds(120), "uid60", since.plusSeconds(60), "muid", since.plusSeconds(90))));
        HealthCheck.Result found = readiness.check();
        assertTrue(found.isHealthy());
        assertEquals(
                "ZooKeeper is unreachable since 2026-01-01T12:00:00Z, reserved until 2026-01-01T12:01:00Z",
                found.getMessage());
    }

    /** A replica that starts while ZooKeeper is away has nothing reserved. What all schemes lack is told once. */
    @Test
    void shouldSayWhatToDoAndWhatIsServedAllTheSameWhenNoSchemeHasASlot() {
        leased.forEach(scheme -> source.fence(scheme.name(), FenceReason.UNREACHABLE));
        assertEquals(
                "sno, muid, eightbyte, uid60: " + FenceReason.UNREACHABLE.sentence() + "; only gid is served",
                readiness.check().getMessage());
        leased.forEach(scheme -> source.fence(scheme.name(), FenceReason.NO_FREE_SLOT));
        assertEquals(
                "no scheme has a slot; only gid is served", readiness.check().getMessage());
    }

    /** Whoever reads warnings hears of what nobody wanted, and of nothing else; and each change is told once. */
    @Test
    void shouldWarnOfALossAndTellOfAStartADrainAndAStop() {
        try (Said said = new Said(Readiness.class, Level.INFO)) {
            source.fenceAll(FenceReason.STARTING);
            readiness.check();
            lookAfter(source::serve);
            lookAfter(source::leave);
            lookAfter(source::serve);
            lookAfter(() -> source.fenceAll(FenceReason.DRAINED));
            lookAfter(source::serve);
            lookAfter(() -> source.fence("sno", FenceReason.DEADLINE_PASSED));
            lookAfter(source::serve);
            lookAfter(() -> source.fenceAll(FenceReason.RELEASED));
            lookAfter(() -> source.fenceAll(FenceReason.CLOSED));

            assertEquals(
                    List.of(
                            "INFO ready",
                            "INFO not ready: this replica is about to be drained by its operator, and serves until then",
                            "INFO ready",
                            "INFO not ready: " + FenceReason.DRAINED.sentence(),
                            "INFO ready",
                            "WARN not ready: sno: " + FenceReason.DEADLINE_PASSED.sentence(),
                            "INFO ready"),
                    told(said).subList(0, 7));
            assertEquals(8, told(said).size());
            assertTrue(
                    told(said).get(7).startsWith("INFO not ready: "), told(said).get(7));
        }
    }

    /** Who starts is not ready for a moment, or while slots cool, and that is no news. */
    @Test
    void shouldTellOnceThatItIsNotReadyWhenThatLastsSinceTheStart() {
        try (Said said = new Said(Readiness.class, Level.INFO)) {
            lookAfter(() -> source.fenceAll(FenceReason.UNREACHABLE));
            lookAfter(() -> clock.advance(Duration.ofSeconds(119)));
            assertEquals(List.of(), told(said));
            lookAfter(() -> clock.advance(Duration.ofSeconds(1)));
            lookAfter(() -> clock.advance(Duration.ofHours(1)));
            lookAfter(source::serve);

            List<String> told = told(said);
            assertEquals(2, told.size(), told.toString());
            String why = "not ready: .*: " + FenceReason.UNREACHABLE.sentence();
            assertTrue(told.get(0).matches("WARN " + why), told.get(0));
            assertEquals("INFO ready", told.get(1));
        }
    }

    @Test
    void shouldTellThatTheLeaseThreadHangs() {
        Liveness liveness = new Liveness(source, Duration.ofSeconds(10));
        try (Said said = new Said(Liveness.class, Level.INFO)) {
            for (Duration since :
                    List.of(Duration.ZERO, Duration.ofSeconds(61), Duration.ofSeconds(62), Duration.ZERO)) {
                source.hang(since);
                liveness.check();
            }
            assertEquals(
                    List.of("ERROR not alive: the lease thread has done nothing for more than 60 s", "INFO alive"),
                    told(said));
        }
    }

    private void lookAfter(Runnable step) {
        step.run();
        readiness.check();
        readiness.check();
    }

    private static List<String> told(Said said) {
        return said.events().stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    /** What it says with the schemes that are leased, and without any; null where it is healthy. */
    private void assertSays(@Nullable String leasing, @Nullable String leasingNothing) {
        assertEquals(leasing, readiness.check().getMessage());
        assertEquals(leasingNothing, new Readiness(source, List.of()).check().getMessage());
    }

    @ParameterizedTest
    @CsvSource({"10, 60000,", "10, 60001, 60", "60, 360000,", "60, 360001, 360"})
    void shouldNotBeAliveWhenTheThreadHasDoneNothingForAMinuteOrSixSessions(
            int session, int since, @Nullable String longest) {
        source.hang(Duration.ofMillis(since));

        assertEquals(
                longest == null ? null : "the lease thread has done nothing for more than " + longest + " s",
                new Liveness(source, Duration.ofSeconds(session)).check().getMessage());
    }

    @Test
    void shouldGiveNoticeOfADrainForAsLongAsOfAStop() {
        DefaultHealthFactory factory = new DefaultHealthFactory();
        factory.setShutdownWaitPeriod(io.dropwizard.util.Duration.milliseconds(2_500));

        assertEquals(Duration.ZERO, HealthSetup.drainNotice(Optional.of(factory)));
        factory.setDelayedShutdownHandlerEnabled(true);
        assertEquals(Duration.ofMillis(2_500), HealthSetup.drainNotice(Optional.of(factory)));
        factory.setEnabled(false);
        assertEquals(Duration.ZERO, HealthSetup.drainNotice(Optional.of(factory)));
        assertEquals(Duration.ZERO, HealthSetup.drainNotice(Optional.empty()));
    }
}
