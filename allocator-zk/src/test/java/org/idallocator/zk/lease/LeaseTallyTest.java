package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted of a replica's leases, and how far its slots are from being fenced. */
class LeaseTallyTest {
    private static final Duration QUARTER = Duration.ofMillis(2_500);
    private static final int SNO = 0;
    private static final int EIGHTBYTE = 1;

    private final Bench bench = new Bench();
    private final Replicated replica = bench.replica("a", Bench.sno(4), new EightByteScheme(3));

    private LeaseCounts counts(int index) {
        return replica.slots(index).counts();
    }

    private void assertRenewals(int index, long atOnce, long retried, long failed, Duration took) {
        assertEquals(
                new LeaseCounts.Renewals(atOnce, retried, failed, took.toNanos()),
                counts(index).renewals());
    }

    private void assertRenewals(int index, long atOnce, long retried, long failed) {
        assertRenewals(index, atOnce, retried, failed, Duration.ZERO);
    }

    private static Map<FenceReason, Long> fences(LeaseCounts counts) {
        return counts.fences().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    void shouldCountClaimsAndRenewalsOfEachScheme() {
        LeaseCounts none = counts(SNO);
        assertEquals("sno", none.scheme());
        assertEquals(0, none.claims() + none.tenures());
        assertRenewals(SNO, 0, 0, 0);
        assertEquals(FenceReason.values().length, none.fences().size());
        replica.step();
        assertEquals(1, counts(SNO).claims());
        assertEquals(1, counts(SNO).tenures());
        assertEquals(1, counts(EIGHTBYTE).claims());

        replica.stepFor(QUARTER.multipliedBy(2));

        assertRenewals(SNO, 2, 0, 0);
        assertRenewals(EIGHTBYTE, 2, 0, 0);
        assertEquals(Map.of(), fences(counts(SNO)));
    }

    /** From before the transaction was sent to its answer. */
    @Test
    void shouldAddUpWhatRenewalsTook() {
        replica.step();
        bench.advance(QUARTER);
        replica.amid("multi", Fault.NONE, () -> bench.advance(Duration.ofMillis(300)));
        replica.step();

        assertRenewals(SNO, 1, 0, 0, Duration.ofMillis(300));
    }

    @Test
    void shouldCountTriesThatWereDueAndNotConfirmed() {
        replica.step();
        replica.client.faults(call -> Fault.REQUEST_LOST);
        replica.stepFor(QUARTER.minusMillis(1));
        assertRenewals(SNO, 0, 0, 0);
        replica.stepFor(Duration.ofSeconds(1));
        long failed = counts(SNO).renewals().failed();
        assertTrue(failed > 1, () -> "failed: " + failed);
        assertRenewals(SNO, 0, 0, failed);
        assertRenewals(EIGHTBYTE, 0, 0, failed);

        replica.client.faults(call -> Fault.NONE);
        replica.stepFor(Duration.ofSeconds(1));
        assertRenewals(SNO, 0, 1, failed);
    }

    /** Nothing failed, and yet an answer was lost: whoever counts failures alone hears nothing of it. */
    @Test
    void shouldCountRenewalsThatASecondTryHasConfirmed() {
        replica.step();
        bench.advance(QUARTER);
        replica.client.next("multi", Fault.ANSWER_LOST);
        replica.step();
        bench.advance(LeaseLoop.RETRY);
        replica.step();

        assertRenewals(SNO, 0, 1, 0);
        assertRenewals(EIGHTBYTE, 0, 1, 0);

        replica.stepFor(QUARTER);
        assertRenewals(SNO, 1, 1, 0);
    }

    /** A step fails before a renewal is due, or before the first slot: the next one is the first try. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountARenewalAsOneTryAfterOtherTrouble(boolean held) {
        if (held) {
            replica.step();
        }
        replica.client.faults(call -> Fault.REQUEST_LOST);
        replica.step();
        replica.client.answer();
        replica.stepFor(QUARTER);

        assertRenewals(SNO, 1, 0, 0);
    }

    @Test
    void shouldCountAFenceOnceByItsReason() {
        replica.step();
        replica.tenure(SNO).fence().trip(FenceReason.LEASE_GONE, "");
        replica.stepFor(Duration.ofSeconds(1));

        assertEquals(Map.of(FenceReason.LEASE_GONE, 1L), fences(counts(SNO)));
        assertEquals(Map.of(), fences(counts(EIGHTBYTE)));
        assertEquals(2, counts(SNO).claims());
        assertEquals(2, counts(SNO).tenures());
    }

    /** The lease goes while the renewal is under way: the other slot is renewed by itself, or gets no answer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountTheRenewalByWhichALossWasFoundOnce(boolean breaksOff) {
        replica.step();
        String lease = Bench.TREE.lease(replica.tenure(SNO).slot());
        bench.advance(QUARTER);
        replica.amid("multi", Fault.NONE, () -> {
            bench.zookeeper.delete(lease);
            if (breaksOff) {
                replica.client.next("multi", Fault.REQUEST_LOST);
            }
        });
        replica.step();
        assertRenewals(SNO, 0, 0, 1);
        assertEquals(breaksOff ? 1 : 0, counts(EIGHTBYTE).renewals().failed());
        assertEquals(breaksOff ? 0 : 1, counts(EIGHTBYTE).renewals().confirmed());

        replica.step();
        assertEquals(1, counts(EIGHTBYTE).renewals().confirmed());
        assertEquals(Map.of(FenceReason.LEASE_GONE, 1L), fences(counts(SNO)));
        assertEquals(Map.of(), fences(counts(EIGHTBYTE)));
    }

    /** A worker ID is given up after its time, for another that serves already. */
    @Test
    void shouldCountTenuresThatEndInOrder() {
        Scheme<?> uid60 = new Uid60Scheme(Duration.ofMinutes(1));
        Replicated other = new Bench().replica("b", uid60).step();
        Duration longest = uid60.pool().orElseThrow().longestTenure().orElseThrow();

        other.stepFor(longest.plusSeconds(10));

        LeaseCounts counts = other.slots().counts();
        assertEquals(2, counts.tenures());
        assertEquals(Map.of(FenceReason.TENURE_ENDED, 1L), fences(counts));
    }

    @Test
    void shouldTellHowFarASlotIsFromBeingFenced() {
        replica.step();
        HeldSlot fresh = held();
        bench.advance(Duration.ofSeconds(9));
        assertEquals(fresh.timeLeftMillis() - 9_000, held().timeLeftMillis());
        bench.advance(Duration.ofSeconds(2));

        assertEquals(10_000, fresh.deadlineMillis());
        assertEquals(0, held().deadlineMillis());
    }

    private HeldSlot held() {
        return replica.tenure(SNO).held(Bench.TREE, replica.clock.micros());
    }
}
