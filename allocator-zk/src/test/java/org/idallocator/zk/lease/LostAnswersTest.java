package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Revocation;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators are told where a command's write, or the answer to it, is lost. */
final class LostAnswersTest {
    private static final String LAYOUT = "multi /ids/sno/layout";
    private static final String META = "multi /ids/meta";
    private static final String RECORD = "multi /ids/sno/records/0";
    private static final String LEASE = "multi /ids/sno/leases/0";
    private static final String MAY_BE_DONE =
            "sno slot 0 may have been changed, or may be changed yet: the answer to the"
                    + " write was lost; look with leases show, and run the command again where need be: ";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final Replicated operator = bench.replica("operator", sno);

    /** This happens to one of the operator's writes of this name, the first being 0. */
    private void lose(Fault fault, String name, int which) {
        int[] seen = {0};
        operator.client.faults(call -> call.contains(name) && seen[0]++ == which ? fault : Fault.NONE);
    }

    /** The same to the first, and after that nothing passes. */
    private void cutOff(Fault fault, String name) {
        operator.client.faults(call -> {
            if (!call.contains(name)) {
                return Fault.NONE;
            }
            operator.client.faults(next -> Fault.REQUEST_LOST);
            return fault;
        });
    }

    private ClusterView view() {
        return ClusterView.on(operator.access(sno));
    }

    private static String unreachable(Supplier<?> command) {
        return String.valueOf(
                assertThrows(UnreachableException.class, command::get).getMessage());
    }

    private Relayout.Report relayout() {
        return OnStore.relayout(operator.access(Bench.settings("operator", sno, Duration.ofSeconds(20))), sno, true);
    }

    private FenceRestore.Report fenceRestore() {
        return OnStore.fenceRestore(operator.access(sno), FenceRestore.Options.none());
    }

    private Generation layout() {
        return Generations.read(
                        Bench.nodes(bench.zookeeper.connect()), sno.pool().orElseThrow())
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSayWhatRelayoutDidWhenAnswerIsLost(int half) {
        bench.replica("a", sno).step();
        lose(Fault.ANSWER_LOST, LAYOUT, half);
        Relayout.Report report = relayout();
        assertEquals(List.of("slot 0 by a"), report.fenced());
        assertEquals(Duration.ofSeconds(20), layout().node().terms().window());
        assertEquals(layout().floor(), report.floor());
        assertEquals(
                List.of(layout().node().generation()),
                bench.zookeeper.children(Bench.TREE.layout(sno.pool().orElseThrow())));
    }

    @Test
    void shouldSayThatTheGenerationMayHaveEndedWhenNobodyKnows() {
        bench.replica("a", sno).step();
        String before = layout().node().generation();
        lose(Fault.REQUEST_LOST, LAYOUT, 0);
        String why = unreachable(this::relayout);
        assertTrue(
                why.startsWith(
                        "the generation of /ids/sno/layout may have been ended, or may be ended yet: the answer to the"
                                + " write was lost; run the command again: /ids/sno/layout/relayout-"),
                why);
        assertEquals(before, layout().node().generation());
        operator.client.answer();
        assertEquals(List.of("slot 0 by a"), relayout().fenced());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSayWhatFenceRestoreDidWhenAnswerIsLost(int half) {
        String before = bench.meta().incarnation();
        lose(Fault.ANSWER_LOST, META, half);
        FenceRestore.Report report = fenceRestore();
        assertEquals(before, report.from());
        assertEquals(bench.meta().incarnation(), report.incarnation());
        assertEquals(bench.meta().floorAt(bench.now().toEpochMilli()), report.floor());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSayThatThereWasNoAnswerWhenFenceRestoreCannotKnow(int half) {
        String before = bench.meta().incarnation();
        lose(Fault.REQUEST_LOST, META, half);
        StoreException e = assertThrows(StoreException.class, this::fenceRestore);
        assertTrue(String.valueOf(e.getMessage()).endsWith(": CONNECTIONLOSS"), e.getMessage());
        assertEquals(half == 0, bench.zookeeper.node(Bench.TREE.meta()).isPresent());
        operator.client.answer();
        assertEquals(half == 0 ? before : "none", fenceRestore().from());
    }

    /** What was sent to remove meta arrives when another one has begun. */
    @Test
    void shouldNotRemoveTheNextMetaWhenRemovalIsLate() {
        lose(Fault.ABANDONED, META, 0);
        assertThrows(StoreException.class, this::fenceRestore);
        operator.client.answer();
        String next = fenceRestore().incarnation();
        bench.zookeeper.onTheWay().forEach(Runnable::run);
        assertEquals(next, bench.meta().incarnation());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ANSWER_LOST", "REQUEST_LOST", "ABANDONED", "REFUSED"})
    void shouldRevokeWhenAnswerIsLost(String fault) {
        Replicated holder = bench.replica("a", sno).step();
        operator.client.next(LEASE, Fault.valueOf(fault));
        boolean arrived = fault.equals("ANSWER_LOST") || fault.equals("REFUSED");
        assertEquals(
                arrived ? Revocation.GONE_ALREADY : Revocation.DONE,
                view().revoke(sno, 0, holder.tenure().nonce()));
        assertEquals(List.of(), bench.leases(sno.pool().orElseThrow()));
    }

    @Test
    void shouldSayThatItMayBeRevokedWhenNobodyCanLook() {
        String nonce = bench.replica("a", sno).step().tenure().nonce();
        cutOff(Fault.ANSWER_LOST, LEASE);
        String why = unreachable(() -> view().revoke(sno, 0, nonce));
        assertEquals(MAY_BE_DONE + "/ids/sno/leases/0: CONNECTIONLOSS", why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ANSWER_LOST", "REQUEST_LOST", "ABANDONED", "REFUSED"})
    void shouldRetireWhenAnswerIsLost(String fault) {
        Replicated holder = bench.replica("a", sno).step();
        operator.client.next(LEASE, Fault.valueOf(fault));
        assertEquals("a", holderLeft());
        assertTrue(bench.record(sno.pool().orElseThrow(), 0).isRetired());
        holder.letPass(Duration.ofSeconds(5));
        assertFalse(holder.serves());
    }

    private String holderLeft() {
        return Objects.requireNonNull(view().retire(sno, 0).holder()).instance();
    }

    @Test
    void shouldSayThatItMayBeRetiredWhenNobodyCanLook() {
        var unused = bench.replica("a", sno).step();
        cutOff(Fault.ANSWER_LOST, LEASE);
        String why = unreachable(() -> view().retire(sno, 0));
        assertTrue(why.startsWith(MAY_BE_DONE) && why.endsWith(": CONNECTIONLOSS"), why);
    }

    @Test
    void shouldNotSayThatItMayBeDoneWhenNothingWasSent() {
        bench.replica("a", sno).step().loop.close();
        view().retire(sno, 0);
        operator.client.faults(call -> {
            operator.client.connected(!call.contains(RECORD));
            return Fault.NONE;
        });
        String why = unreachable(() -> view().unretire(sno, 0, Instant.EPOCH));
        assertEquals("/ids/sno/records/0: not connected to ZooKeeper", why);
    }
}
