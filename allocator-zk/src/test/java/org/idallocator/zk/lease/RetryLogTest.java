package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.testing.Told;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first failure of a kind is a warning with its cause; repetitions are quiet. */
final class RetryLogTest {
    private final Exception cause = new IllegalStateException("no answer");

    @AutoClose
    private final Told told = Told.inTheRoomOf(LeaseLoop.class);

    private final RetryLog failures = new RetryLog();

    private List<Level> levels() {
        return told.events().stream().map(ILoggingEvent::getLevel).toList();
    }

    /** One word for each call: fails, or is well again. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "it repeats               | one:lost one:lost                        | WARN DEBUG",
                "its kind changes         | one:lost one:refused                     | WARN WARN",
                "it was forgotten         | one:lost one:forget one:lost             | WARN WARN",
                "another one is forgotten | one:lost two:lost one:forget two:lost    | WARN WARN DEBUG",
                "kinds alternate          | one:lost one:refused one:lost one:refused | WARN WARN DEBUG DEBUG"
            })
    void shouldWarnOnceOfEachKindUntilItIsForgotten(String when, String calls, String levels) {
        for (String call : calls.split(" ", -1)) {
            String subject = call.substring(0, 3);
            String kind = call.substring(4);
            if (kind.equals("forget")) {
                failures.forget(subject);
            } else {
                failures.tellFailure(
                        subject, kind.equals("lost") ? cause : new UnsupportedOperationException("no answer"));
            }
        }
        assertEquals(Stream.of(levels.split(" ", -1)).map(Level::toLevel).toList(), levels());
        assertEquals("one: no answer", told.events().get(0).getFormattedMessage());
        told.events().forEach(event -> assertNotNull(event.getThrowableProxy()));
    }

    @Test
    void shouldWarnOfRefusalsThatDoNotPassByThemselves() {
        failures.tellFailure("sno", FencedException.of(FenceReason.META_GONE, "/ids/meta does not exist"));
        failures.tellFailure("sno", FencedException.of(FenceReason.META_GONE, "/ids/meta does not exist"));
        failures.tellFailure("muid", FencedException.of(FenceReason.COOLING, "for 16 s"));
        failures.tellFailure("muid", FencedException.of(FenceReason.COOLING, "for 15 s"));
        assertEquals(List.of(Level.WARN, Level.DEBUG, Level.INFO, Level.DEBUG), levels());
    }

    @Test
    void shouldWarnOnceOfWhatIsOdd() {
        failures.tellOddity("slot", "its snapshot is left aside");
        failures.tellOddity("slot", "its snapshot is left aside");
        failures.forget("slot");
        failures.tellOddity("slot", "its snapshot is left aside");
        assertEquals(List.of(Level.WARN, Level.DEBUG, Level.WARN), levels());
        assertEquals("slot: its snapshot is left aside", told.events().get(0).getFormattedMessage());
    }

    /** A log that is slow, or fails, keeps no fence from tripping. */
    @Test
    void shouldTripBeforeItWarns() {
        Bench bench = new Bench();
        Replicated replica = bench.replica("a", Bench.sno(4)).step();
        Tenure tenure = replica.tenure();
        List<Boolean> tripped = new ArrayList<>();
        try (Told slow = new Told(
                LeaseLoop.class.getPackageName(),
                event -> tripped.add(tenure.fence().tripIfOverdue() != null))) {
            bench.zookeeper.delete(Bench.TREE.meta());
            replica.step();
            assertFalse(slow.events().isEmpty());
        }
        assertTrue(tripped.size() > 1, tripped::toString);
        assertFalse(tripped.contains(false), tripped::toString);
    }

    private List<String> infos() {
        Stream<ILoggingEvent> events = told.events().stream().filter(event -> event.getLevel() == Level.INFO);
        return events.map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void shouldWarnOnceWhenZooKeeperIsAwayForManySteps() {
        Bench bench = new Bench();
        Replicated replica = bench.replica("a", Bench.sno(4)).step();
        for (int outage = 1; outage <= 2; outage++) {
            replica.client.faults(call -> Fault.REQUEST_LOST);
            replica.stepFor(Duration.ofSeconds(4)); // until something is asked, and asked again
            replica.client.answer();
            replica.stepFor(Duration.ofSeconds(30));
            List<ILoggingEvent> warnings = told.warnings(
                    "leases are not kept: unreachable: " + FenceReason.UNREACHABLE.sentence() + " (simulated:2181: ");
            assertEquals(outage, warnings.size());
            assertEquals(outage, told.warnings("").size(), "whoever notices it");
            assertEquals(outage, Collections.frequency(infos(), "leases are kept again"));
            assertNull(warnings.get(outage - 1).getThrowableProxy(), "no stack trace");
        }
    }
}
