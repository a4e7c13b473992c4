package org.idallocator.dropwizard.cli.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Optional;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.znode.LeaseNode;
import org.junit.jupiter.api.Test;

/** What a person is asked who retires a slot, or puts one back, and what a yes agrees to. */
final class RetiringTest {
    private static final Instant NOON = Instant.parse("2024-01-01T12:00:00Z");
    private static final Holder A = holder("a", "n-1");
    private static final Holder UNKNOWN = Holder.unknown("/ids/sno/leases/0 does not hold a lease node");

    private static Holder holder(String instance, String nonce) {
        return new Holder.Held(new LeaseNode(1, "0", nonce, instance, "host", 1, "", "0x1", NOON));
    }

    private static String question(Holder shown) {
        return RetireCommand.question("sno slot 0", shown);
    }

    private static boolean agreed(Holder shown, Holder now) {
        return RetireCommand.mayLose(Optional.of(shown), Optional.empty()).test(now);
    }

    @Test
    void shouldNameWhoLosesTheSlot() {
        assertEquals("retire sno slot 0, which nobody holds", question(Holder.nobody()));
        assertEquals("retire sno slot 0, which a on host (tenure n-1) holds and loses", question(A));
        assertEquals(
                "retire sno slot 0, which somebody unknown (/ids/sno/leases/0 does not hold a lease node) holds and loses",
                question(UNKNOWN));
    }

    @Test
    void shouldAgreeToTheHolderThatWasNamedAndToNoOther() {
        assertTrue(agreed(A, holder("a", "n-1")));
        assertFalse(agreed(A, holder("a", "n-2")));
        assertFalse(agreed(Holder.nobody(), A));
        assertFalse(agreed(Holder.nobody(), UNKNOWN));
        assertTrue(agreed(UNKNOWN, UNKNOWN));
        assertFalse(agreed(UNKNOWN, A));
    }

    @Test
    void shouldAgreeToNobodyButTheTenureOfTheNonce() {
        Optional<String> nonce = Optional.of("n-1");
        assertTrue(RetireCommand.mayLose(Optional.of(A), nonce).test(A));
        Holder other = holder("b", "n-2");
        assertFalse(RetireCommand.mayLose(Optional.of(other), nonce).test(other));
        assertFalse(RetireCommand.mayLose(Optional.empty(), nonce).test(UNKNOWN));
        assertTrue(RetireCommand.mayLose(Optional.empty(), Optional.empty()).test(UNKNOWN));
    }

    @Test
    void shouldSayBeforehandWhatWaitsWhenIdsFromElsewhereAreAhead() {
        assertEquals(
                "unretire sno slot 0, on which nothing else has issued IDs while it was retired",
                UnretireCommand.question("sno slot 0", Optional.empty(), NOON));
        assertEquals(
                "unretire sno slot 0, on which nothing else has issued IDs with times after 2024-01-01T12:00:00Z",
                UnretireCommand.question("sno slot 0", Optional.of(NOON), NOON));
        assertEquals(
                "unretire sno slot 0, on which nothing else has issued IDs with times after 2024-01-01T12:00:01Z; until then"
                        + " the slot serves nothing, and no slot of the pool does where the layout is changed or lost",
                UnretireCommand.question("sno slot 0", Optional.of(NOON.plusSeconds(1)), NOON));
    }
}
