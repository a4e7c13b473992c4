package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterState;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.operator.PoolView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody has put among the nodes: it is shown with its fault, or left out, and hides nothing else. */
final class BadNodesTest {
    private static final String GOOD_TIME = "\"2024-01-01T00:00:00Z\"";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(4);
    private final Replicated replica = bench.replica("a", sno).step();
    private final String slot = replica.tenure().slot().name();

    private ClusterState fleet() {
        return ClusterView.on(bench.access(sno)).state();
    }

    private LeaseView entry(String name) {
        return fleet().pools().get(0).slots().stream()
                .filter(view -> view.slot().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A slot that nobody holds, and its name. */
    private String other() {
        return slot.equals("3") ? "2" : "3";
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"version\":1,\"ceiling\":\"x\"}"})
    void shouldShowSlotWithItsFaultWhenRecordIsBad(String record) {
        String path = Bench.TREE.records(sno.pool().orElseThrow()) + "/" + other();
        bench.zookeeper.create(path, record, 0);
        LeaseView bad = entry(other());
        assertEquals(State.UNREADABLE, bad.state());
        assertTrue(
                Objects.requireNonNull(bad.unreadable()).startsWith(path + " does not hold a slot record"),
                bad::toString);
        assertEquals(State.HELD, entry(slot).state());
        replica.stepFor(Duration.ofSeconds(5));
        assertTrue(replica.serves());
    }

    /** A record that says more than the scheme can have is no retired slot, and whoever needs the slot is told which value is wrong. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "ceiling":2199023255552                                     | ceiling must be -1..549755813887: 2199023255552
            "ceiling":5,"floor":4000000000000000000,"snapshot":{}       | floor must be 0..6: 4000000000000000000
            """)
    void shouldCallRecordMalformedThatNoReplicaCanHaveWritten(String fields, String why) {
        String records = Bench.TREE.records(sno.pool().orElseThrow()) + "/";
        for (String name : List.of("0", "1", "2", "3")) {
            if (!name.equals(slot)) {
                bench.zookeeper.create(
                        records + name,
                        "{\"version\":1," + fields + ",\"reservedThrough\":" + GOOD_TIME
                                + ",\"nonce\":\"\",\"released\":true}",
                        0);
            }
        }
        assertEquals(State.UNREADABLE, entry(other()).state());
        assertEquals(
                records + other() + " does not hold a slot record: " + why,
                entry(other()).unreadable());
        Replicated next = bench.replica("b", sno);
        next.loop.step();
        assertEquals(FenceReason.MALFORMED_NODE, next.reason(), next.why());
        assertTrue(next.why().contains(why), next.why());
        replica.stepFor(Duration.ofSeconds(5));
        assertTrue(replica.serves());
    }

    /** Whoever goes on from a forged record must not fail in a way that keeps all other slots from being served. */
    @Test
    void shouldGiveSlotUpWhenItsRecordSaysWhatNoTimeFieldHolds() {
        String path = Bench.TREE.records(sno.pool().orElseThrow()) + "/" + slot;
        bench.zookeeper.set(
                path,
                "{\"version\":1,\"ceiling\":2305843009213706296,\"floor\":0,\"snapshot\":{},\"reservedThrough\":"
                        + GOOD_TIME + ",\"nonce\":\"n\",\"released\":true}");
        replica.stepFor(Duration.ofSeconds(5));
        assertTrue(replica.serves());
        assertNotEquals(slot, replica.tenure().slot().name());
        assertEquals(State.UNREADABLE, entry(slot).state());
    }

    /** The root keeps the last floor as text, for when meta is gone; what is no floor that anybody writes counts as none. */
    @Test
    void shouldBeginAnewInARootThatHoldsNoFloor() {
        Bench empty = new Bench();
        empty.zookeeper.create("/ids", "+1000000000-12-31T23:59:59Z", 0);
        Replicated first = empty.replica("a", sno);
        first.stepFor(Duration.ofSeconds(30));
        assertTrue(first.serves());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "{}", "{\"version\":1,\"slot\":\"3\",\"pid\":1}", "{\"nonce\":\"n\",\"pid\":\"x\"}"})
    void shouldShowSlotWithItsFaultWhenLeaseIsBad(String lease) {
        String path = Bench.TREE.leases(sno.pool().orElseThrow()) + "/" + other();
        bench.zookeeper.create(path, lease, bench.zookeeper.newSession());
        LeaseView bad = entry(other());
        assertEquals(State.UNREADABLE, bad.state());
        assertTrue(Objects.requireNonNull(bad.unreadable()).startsWith(path + " does not hold a lease node"));
        assertEquals(State.HELD, entry(slot).state());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "{\"instance\":\"x\",\"pid\":\"x\"}",
                "{\"instance\":\"x\",\"pid\":1,\"since\":" + GOOD_TIME + "}",
                "{\"instance\":\"x\",\"host\":\"h\",\"pid\":1,\"since\":\"+1000000000-12-31T23:59:59Z\"}"
            })
    void shouldShowMemberWithItsFaultWhenItsNodeIsBad(String member) {
        bench.zookeeper.create(Bench.TREE.member("b"), member, bench.zookeeper.newSession());
        ClusterState fleet = fleet();
        assertEquals(2, fleet.members().size());
        assertEquals(
                1,
                fleet.members().stream()
                        .filter(each -> each.unreadable() != null)
                        .count());
    }

    /** Whoever looks is shown the slots; whoever would serve is told which node is bad, and not that ZooKeeper is away. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"version\":1,\"incarnation\":\"\",\"floor\":" + GOOD_TIME + "}",
                "{\"version\":1,\"incarnation\":\"a/b\",\"floor\":" + GOOD_TIME + "}",
                "{\"version\":1,\"incarnation\":\"..\",\"floor\":" + GOOD_TIME + "}",
                "{\"version\":1,\"incarnation\":\"a\\u0000b\",\"floor\":" + GOOD_TIME + "}",
                "{\"version\":1,\"incarnation\":\"a\",\"floor\":\"+1000000000-12-31T23:59:59Z\"}",
                "{\"version\":1,\"incarnation\":\"a\",\"floor\":\"-1000000000-01-01T00:00:00Z\"}",
                "{\"version\":1,\"incarnation\":\"a\",\"floor\":" + GOOD_TIME + ",\"aheadMillis\":-1}",
                "{\"version\":1,\"incarnation\":\"a\",\"floor\":" + GOOD_TIME + ",\"aheadMillis\":9223372036854775807}"
            })
    void shouldCallMetaMalformedWhenItIsOutOfBounds(String meta) {
        bench.zookeeper.set(Bench.TREE.meta(), meta);
        assertEquals(State.HELD, entry(slot).state());
        replica.loop.verifySoon();
        replica.loop.step();
        Replicated next = bench.replica("b", sno);
        next.loop.step();
        assertEquals(FenceReason.MALFORMED_NODE, next.reason(), next.why());
        assertTrue(next.why().contains("/ids/meta does not hold a meta node"), next.why());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"floor\":\"+1000000000-12-31T23:59:59Z\"",
                "\"floor\":\"-1000000000-01-01T00:00:00Z\"",
                "\"aheadMillis\":-1",
                "\"aheadMillis\":9223372036854775807",
                "\"windowMillis\":-1",
                "\"windowMillis\":\"10000\"",
                "\"generation\":\"a/b\""
            })
    void shouldCallLayoutMalformedWhenItIsOutOfBounds(String field) {
        String path = Bench.TREE.layout(sno.pool().orElseThrow());
        String key = field.substring(0, field.indexOf(':'));
        String data = bench.data(path);
        String without = data.replaceFirst(key + ":(\"[^\"]*\"|[0-9]+),", "");
        bench.zookeeper.set(path, without.replaceFirst("\\{", "{" + field.replace("\\", "\\\\") + ","));
        assertEquals(State.HELD, entry(slot).state());
        Replicated next = bench.replica("b", sno);
        next.loop.step();
        assertEquals(FenceReason.MALFORMED_NODE, next.reason(), next.why());
    }

    /** No layout has slots of these names. */
    @Test
    void shouldLeaveOutWhatIsNoSlot() {
        bench.zookeeper.create(Bench.TREE.leases(sno.pool().orElseThrow()) + "/stray-of-" + slot, "x", 0);
        bench.zookeeper.create(Bench.TREE.records(sno.pool().orElseThrow()) + "/a stray", "x", 0);
        bench.zookeeper.create("/ids/stray", "x", 0);
        PoolView pool = fleet().pools().get(0);
        assertEquals(List.of(slot), pool.slots().stream().map(LeaseView::slot).toList());
    }
}
