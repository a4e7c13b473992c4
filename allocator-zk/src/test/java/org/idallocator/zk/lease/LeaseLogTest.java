package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.testing.Told;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One line for each change of a lease's state, in words and as values. */
final class LeaseLogTest {
    private static final Scheme<?> SNO = Bench.sno(4);

    private final Bench bench = new Bench();
    private final Replicated replica = bench.replica("a", SNO);

    @AutoClose
    private final Told told = Told.inTheRoomOf(LeaseLog.class);

    private List<ILoggingEvent> lines() {
        return told.events().stream()
                .filter(event -> event.getLoggerName().equals(LeaseLog.class.getName()))
                .toList();
    }

    /** The changes and their reasons, in order. */
    private List<String> changes() {
        return lines().stream()
                .map(line -> value(line, "change") + " " + value(line, "reason"))
                .toList();
    }

    private static String value(ILoggingEvent line, String key) {
        return line.getKeyValuePairs().stream()
                .filter(pair -> pair.key.equals(key))
                .map(pair -> String.valueOf(pair.value))
                .collect(Collectors.joining());
    }

    @Test
    void shouldTellTheSameInWordsAndAsValues() {
        Tenure tenure = replica.step().tenure();
        ILoggingEvent line = lines().get(0);

        assertEquals(
                "lease claimed scheme=sno slot=" + tenure.slot().name() + " tenure=" + tenure.nonce()
                        + " reason=vacant detail=\"ticks from " + tenure.fence().floorTick() + "\"",
                line.getFormattedMessage());
        assertEquals("sno", value(line, "scheme"));
        assertEquals(tenure.slot().name(), value(line, "slot"));
        assertEquals(tenure.nonce(), value(line, "tenure"));
        assertEquals(Level.INFO, line.getLevel());
        String session = Long.toHexString(replica.client.believedSession()); // which a password opens
        assertFalse(line.getFormattedMessage().contains("0x" + session));
    }

    @Test
    void shouldTellWhenASlotCannotBeGivenBack() {
        replica.step();
        bench.zookeeper.delete(Bench.TREE.meta());
        replica.loop.close();

        assertEquals("abandoned released", changes().get(2));
    }

    @Test
    void shouldTellOfDrainAndResume() {
        replica.step();
        Bench.drain(replica.state);
        replica.step();
        replica.state.resume();
        replica.step();

        assertEquals(List.of("claimed vacant", "fenced drained", "released drained", "claimed vacant"), changes());
        assertTrue(lines().stream().allMatch(line -> line.getLevel() == Level.INFO));
    }

    @Test
    void shouldTellOfRotation() {
        String before = replica.step().tenure().slot().name();
        replica.loop.rotate(new Rotation(replica.slots()));
        replica.step();

        assertEquals(List.of("claimed vacant", "claimed released", "released released"), changes());
        assertEquals(1, fences(FenceReason.RELEASED));
        assertEquals("in the place of slot " + before, value(lines().get(1), "detail"));
        assertEquals(before, value(lines().get(2), "slot"));
    }

    @Test
    void shouldWarnOfLoss() {
        replica.step();
        bench.zookeeper.delete(Bench.TREE.lease(replica.tenure().slot()));
        replica.stepFor(Duration.ofSeconds(20));

        assertEquals("fenced lease-gone", changes().get(1));
        assertEquals(Level.WARN, lines().get(1).getLevel());
        assertNull(lines().get(1).getThrowableProxy());
        assertEquals(
                Set.of("released lease-gone", "claimed vacant"),
                Set.copyOf(changes().subList(2, 4)));
    }

    @Test
    void shouldTellThatASlotIsTakenUpWhenItsSessionHasEnded() {
        replica.step();
        bench.zookeeper.expire(replica.client.believedSession());
        replica.stepFor(Duration.ofSeconds(20));

        assertEquals(List.of("claimed vacant", "taken-up new-session"), changes());
        assertEquals(Level.INFO, lines().get(1).getLevel());
    }

    /** The step that waits for ZooKeeper meanwhile tells when it is over. */
    @Test
    void shouldTellOnceOfADeadlineThatPassesAmidAStep() {
        replica.step();
        bench.advance(Duration.ofMillis(2_500));
        replica.amid("multi", Fault.REQUEST_LOST, () -> bench.advance(Duration.ofSeconds(11)));
        Instant deadline = bench.now().plusMillis(7_500).truncatedTo(ChronoUnit.MILLIS);
        replica.step();

        assertEquals(
                List.of("claimed vacant", "fenced deadline-passed"), changes().subList(0, 2));
        assertFalse(changes().subList(2, changes().size()).toString().contains("fenced "));
        assertEquals(1, fences(FenceReason.DEADLINE_PASSED));
        assertTrue(
                value(lines().get(1), "detail").endsWith("(the deadline passed at " + deadline + ")"),
                value(lines().get(1), "detail"));
    }

    private long fences(FenceReason reason) {
        return Objects.requireNonNull(replica.slots().counts().fences().get(reason));
    }

    @Test
    void shouldTellThatATenureIsRenewedAfterTrouble() {
        replica.step();
        replica.stepFor(Duration.ofSeconds(10));
        assertEquals(List.of("claimed vacant"), changes());

        replica.client.faults(call -> Fault.REQUEST_LOST);
        replica.stepFor(Duration.ofSeconds(4));
        replica.client.answer();
        replica.stepFor(Duration.ofSeconds(10));
        assertEquals(List.of("claimed vacant", "renewed uncertain"), changes());
    }

    /** Record and lease are somebody else's by now. */
    @Test
    void shouldTellTheEndOfASlotOfWhichNothingIsLeft() {
        Tenure tenure = replica.step().tenure();
        String record = Bench.TREE.record(tenure.slot());
        String another = bench.data(record).replace(tenure.nonce(), "another");
        bench.zookeeper.set(record, another);
        bench.zookeeper.delete(Bench.TREE.lease(tenure.slot()));
        replica.step();

        assertEquals(
                List.of("claimed vacant", "fenced record-taken", "released record-taken", "claimed vacant"), changes());
        assertEquals(tenure.nonce(), value(lines().get(2), "tenure"));
    }

    /** The session goes while another slot is claimed in the place of the one that serves. */
    @Test
    void shouldTellOfALossAmidRotation() {
        replica.step();
        replica.loop.rotate(new Rotation(replica.slots()));
        replica.amid("multi /ids/sno/records", Fault.NONE, replica.loop::fenceAll);
        replica.step();

        assertEquals(
                List.of("claimed vacant", "fenced session-lost", "claimed session-lost", "released session-lost"),
                changes());
        assertEquals(Level.WARN, lines().get(1).getLevel());
        assertEquals(1, fences(FenceReason.SESSION_LOST));
    }
}
