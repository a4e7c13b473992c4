package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Revocation;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A record of a slot that no replica has written means the same to everybody who reads it: nothing. What it says of
 * times counts nowhere, and its slot is not free. {@link VersionsTest} has records of later versions.
 */
final class BrokenRecordsTest {
    private static final String RECORD = "/ids/sno/records/0";
    private static final String TENURE = "11111111-2222-3333-4444-555555555555";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();

    /** What somebody has put into the place of a record, by a client of their own. */
    private enum Broken {
        NO_JSON("no JSON"),
        /** Retired, it says, with a ceiling that no tick of the scheme reaches. */
        BEYOND(record(4_611_686_018_427_387_903L, "9999-12-31T00:00:00Z", "")),
        /** A tenure's, it says, and reserves more than the scheme has. */
        BEYOND_OF_A_TENURE(record(549_755_813_888L, "9999-12-31T00:00:00Z", TENURE)),
        /** Retired, it says, and used until a time that the scheme does not reach. */
        RETIRED_TOO_LATE(record(549_755_813_887L, "9999-12-31T00:00:00Z", "")),
        NEGATIVE(record(-2, "2024-01-01T00:00:00Z", ""));

        private final String data;

        Broken(String data) {
            this.data = data;
        }

        private static String record(long ceiling, String through, String nonce) {
            return "{\"version\":1,\"ceiling\":" + ceiling + ",\"reservedThrough\":\"" + through + "\",\"nonce\":\""
                    + nonce + "\",\"released\":true}";
        }
    }

    private void put(String path, Broken broken) {
        bench.zookeeper.ensure(path);
        bench.zookeeper.set(path, broken.data);
    }

    private ClusterView view() {
        return ClusterView.on(bench.access(sno));
    }

    private Relayout.Report relayout(Scheme<?> to) {
        return OnStore.relayout(bench.access(to), to, false);
    }

    private FenceRestore.Report restore() {
        return OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
    }

    /** A pool that was used, and whose only record is broken. */
    private void broken(Broken broken) {
        bench.replica("before", sno).step().loop.close();
        put(RECORD, broken);
    }

    /** The way out, for people: whatever the record was, the slot serves again. */
    @ParameterizedTest
    @EnumSource
    void shouldCountTheWorstWhenASlotIsRetiredAndServeAgainOnceItIsPutBack(Broken broken) {
        broken(broken);
        Replicated waiting = bench.replica("waiting", sno).stepFor(Duration.ofSeconds(10));
        assertEquals(FenceReason.MALFORMED_NODE, waiting.reason(), waiting.why());
        Instant worst = bench.now().plus(Terms.farthest());
        assertEquals(worst, view().retire(sno, 0).issuingUntil());
        assertEquals(State.RETIRED, view().lease(sno, 0).state());
        assertEquals(worst, view().unretire(sno, 0, Instant.EPOCH), "what was broken does not stay");
        waiting.stepFor(Terms.farthest().plusSeconds(5));
        assertTrue(waiting.serves(), () -> waiting.why());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSayToOperatorsWhatIsWrong(Broken broken) {
        broken(broken);
        UnreachableException e = assertThrows(UnreachableException.class, () -> view().unretire(sno, 0, Instant.EPOCH));
        assertTrue(String.valueOf(e.getMessage()).contains(RECORD + " does not hold"), e::toString);

        PoolView listed = view().pool(sno).orElseThrow();
        assertEquals(State.UNREADABLE, listed.slots().get(0).state());
        assertTrue(Objects.requireNonNull(listed.slots().get(0).unreadable()).startsWith(RECORD + " does not hold"));
        assertEquals(new PoolView.Counts("sno", 1, 0, 0, 0, 0, 1), listed.counts());

        Check check = OnStore.examine(bench.access(sno)).stream()
                .filter(each -> each.name().equals("sno"))
                .findFirst()
                .orElseThrow();
        assertEquals("malformed-node", check.reason());
        assertTrue(check.seen().contains("the records of 1 cannot be read (0)"), check::seen);
        assertEquals(broken.data, bench.data(RECORD));
    }

    /** In an earlier layout the slot had a longer name. */
    @ParameterizedTest
    @EnumSource
    void shouldPutASlotBackWhateverIsThereUnderAnotherName(Broken broken) {
        bench.replica("before", sno).step().loop.close();
        view().retire(sno, 0);
        put("/ids/sno/records/00", broken);
        assertEquals(bench.now().plus(Terms.farthest()), view().unretire(sno, 0, Instant.EPOCH));
        assertFalse(bench.record(pool, 0).isRetired());
        assertEquals(broken.data, bench.data("/ids/sno/records/00"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountTheTermsWhenTheLayoutChanges(Broken broken) {
        broken(broken);
        Relayout.Report report = relayout(Bench.sno(16));
        assertEquals(bench.now().plus(Bench.AHEAD), report.floor());
        assertEquals(List.of(), report.retired());
        assertEquals(broken.data, bench.data(RECORD));
    }

    /**
     * With more than ten slots, slot 0 has another name, under which it stays retired; what was reserved there, nobody
     * can tell.
     */
    @ParameterizedTest
    @EnumSource
    void shouldCarryARetiredSlotOverWhatIsThereUnderItsNewName(Broken broken) {
        bench.replica("before", sno).step().loop.close();
        view().retire(sno, 0);
        put("/ids/sno/records/00", broken);
        bench.advance(Duration.ofHours(1));
        assertEquals(List.of("00"), relayout(Bench.sno(16)).retired());
        assertEquals(
                bench.now().plus(Terms.farthest()),
                bench.record(Bench.sno(16).pool().orElseThrow(), 0).reservedThrough());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountTheLargestTermsWhenTheLayoutIsLost(Broken broken) {
        broken(broken);
        bench.zookeeper.delete("/ids/sno/layout");
        Replicated next = bench.replica("next", sno).step();
        assertEquals(
                bench.now().plus(Terms.undeclared().ahead()),
                Generations.read(Bench.nodes(next.client), pool).orElseThrow().floor());
        assertEquals(broken.data, bench.data(RECORD));
    }

    @ParameterizedTest
    @EnumSource
    void shouldChooseAnotherSlotAndSayWhatIsWrongWithThis(Broken broken) {
        Scheme<?> two = Bench.sno(2);
        bench.replica("before", two).step().loop.close();
        put(RECORD, broken);
        assertEquals(1, bench.replica("next", two).step().tenure().slot().number());
        Replicated last = bench.replica("last", two).step();
        assertEquals(FenceReason.MALFORMED_NODE, last.reason(), last.why());
        assertTrue(last.why().contains(RECORD + " does not hold"), last.why());
        assertEquals(List.of("1"), bench.leases(two.pool().orElseThrow()));
        assertEquals(broken.data, bench.data(RECORD));
    }

    /** Whichever slot a replica would look at first. */
    @Test
    void shouldChooseAnotherSlotWhenTheRecordOfOneMayNotBeRead() {
        Scheme<?> two = Bench.sno(2);
        bench.replica("before", two).step().loop.close();
        bench.zookeeper.ensure(RECORD);
        bench.zookeeper.hide(RECORD::equals);
        for (int i = 0; i < 10; i++) {
            Replicated next = bench.replica("next-" + i, two).step();
            assertTrue(next.serves(), next::toString);
            assertEquals(1, next.tenure().slot().number());
            Replicated last = bench.replica("last-" + i, two).step();
            assertEquals(FenceReason.NO_PERMISSION, last.reason(), last.why());
            assertTrue(last.why().contains(RECORD), last.why());
            next.loop.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeASlotAwayAndLeaveItsRecordAsItIs(Broken broken) {
        Replicated holder = bench.replica("holder", sno).step();
        put(RECORD, broken);
        assertEquals(Revocation.DONE, view().revoke(sno, 0, holder.tenure().nonce()));
        assertEquals(broken.data, bench.data(RECORD));
        assertEquals(Revocation.NOT_ITS_OWN, view().revoke(sno, 0, TENURE), "what cannot be read names no tenure");
    }

    /** Fence-restore knows pools by their paths, also those of schemes that are not configured. */
    @ParameterizedTest
    @EnumSource
    void shouldCountTheTermsAndListNothingWhenTheFenceIsRestored(Broken broken) {
        broken(broken);
        put("/ids/eightbyte/03/records/0A", broken);
        put("/ids/muid/records/1000000000005", broken);
        FenceRestore.Report report = restore();
        assertEquals(bench.now().plus(Terms.undeclared().ahead()), report.floor());
        assertEquals(List.of(), report.retired());
        assertEquals(broken.data, bench.data(RECORD));
    }

    /** Nobody knows what it reserves: no floor is counted over it, and nothing is ended for one. */
    @Test
    void shouldCountNoFloorOverARecordThatMayNotBeRead() {
        Replicated before = bench.replica("before", sno).step();
        before.loop.close();
        bench.zookeeper.hide(RECORD::equals);
        var tree = bench.zookeeper.tree();
        for (Executable order : List.<Executable>of(() -> relayout(Bench.sno(16)), this::restore)) {
            StoreException refused = assertThrows(StoreException.class, order);
            assertEquals(StoreException.Kind.NO_PERMISSION, refused.kind());
            assertTrue(String.valueOf(refused.getMessage()).contains(RECORD), refused::toString);
        }
        tree.forEach((path, node) -> {
            if (!path.equals(Bench.ROOT)) { // below which the clock is asked
                assertEquals(node, bench.zookeeper.tree().get(path), path);
            }
        });

        bench.zookeeper.delete("/ids/sno/layout");
        Replicated next = bench.replica("next", sno).stepFor(Duration.ofSeconds(5));
        assertEquals(FenceReason.NO_PERMISSION, next.reason(), next.why());
        assertTrue(bench.zookeeper.node("/ids/sno/layout").isEmpty());
    }

    /** A scheme of a later version: its time field may be as wide as any. */
    @Test
    void shouldListWhatIsRetiredOfASchemeThatThisSoftwareDoesNotKnow() {
        bench.replica("before", sno).step().loop.close();
        put("/ids/sixth/records/0", Broken.BEYOND);
        assertEquals(List.of("/ids/sixth/records/0"), restore().retired());
    }
}
