package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas of this version and of later ones in one root. What a later version wrote is read where it says that this
 * one may, and its fields survive what this one writes. All else is left as it is, also by operators.
 */
final class VersionsTest {
    private static final String LAYOUT = "/ids/sno/layout";
    private static final String RECORD = "/ids/sno/records/0";
    private static final String LATER =
            " can be understood from shape version 4 on; this software knows shape version 3";
    private static final String FIELDS = "\"colour\":{\"of\":[\"money\"]},\"none\":null";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();

    /** The same as the next version writes it, with fields that this version does not know. */
    private static String next(String payload) {
        return of(payload, "{\"version\":4,\"readableFrom\":1," + FIELDS + ",");
    }

    /** The same, where only the next version understands it. */
    private static String foreign(String payload) {
        return of(payload, "{\"version\":5,\"readableFrom\":4,");
    }

    private static String of(String payload, String version) {
        return payload.replaceAll("\"version\":[13],|,\"readableFrom\":1", "").replaceFirst("[{]", version);
    }

    private void change(String path, UnaryOperator<String> how) {
        String before = bench.data(path);
        String after = how.apply(before);
        assertFalse(before.equals(after), path + " stays " + before);
        bench.zookeeper.set(path, after);
    }

    private ClusterView view() {
        return ClusterView.on(bench.access(sno));
    }

    private static void assertKeeps(String payload) {
        boolean record = payload.contains("\"ceiling\":");
        assertTrue(payload.endsWith("," + FIELDS + (record ? ",\"readableFrom\":1}" : "}")), payload);
        assertTrue(payload.startsWith(record ? "{\"version\":3," : "{\"version\":1,"), "by this version: " + payload);
        assertEquals(record, payload.contains("readableFrom"), payload);
    }

    private void assertUnderstoodLater(FenceReason reason, String why, String path) {
        assertEquals(FenceReason.NEWER_VERSION, reason, why);
        assertTrue(why.contains(path + LATER), why);
    }

    @Test
    void shouldKeepFieldsOfTheNextVersionThroughAWholeTenure() {
        Replicated first = bench.replica("before", sno).step();
        first.draw(3);
        first.loop.close();
        change(RECORD, VersionsTest::next);
        SlotRecord left = bench.record(pool, 0);
        assertEquals(4, left.version());
        Replicated replica = bench.replica("a", sno).step();
        assertTrue(replica.serves());
        assertEquals(
                Objects.requireNonNull(left.floor()), replica.tenure().fence().floorTick(), "by the snapshot");
        assertKeeps(bench.data(RECORD));
        replica.stepFor(Duration.ofSeconds(5));
        assertTrue(bench.record(pool, 0).ceiling() > replica.tenure().fence().floorTick());
        assertKeeps(bench.data(RECORD));
        replica.loop.close();
        assertTrue(bench.record(pool, 0).released());
        assertKeeps(bench.data(RECORD));
    }

    /** Such a number is another one once it was read and written. */
    @Test
    void shouldKnowItsOwnWriteAlsoWhereAKeptFieldIsReadOtherwiseThanItWasWritten() {
        bench.replica("before", sno).step().loop.close();
        change(RECORD, payload -> payload.replaceFirst("[{]", "{\"far\":1e400,"));
        Replicated replica = bench.replica("a", sno).step();
        replica.loop.verifySoon();
        assertTrue(replica.step().serves(), replica::why);
    }

    @Test
    void shouldKeepFieldsOfTheNextVersionWhenSlotIsRetiredAndPutBack() {
        bench.replica("before", sno).step().loop.close();
        change(RECORD, VersionsTest::next);
        view().retire(sno, 0);
        assertTrue(bench.record(pool, 0).isRetired());
        assertKeeps(bench.data(RECORD));
        view().unretire(sno, 0, Instant.EPOCH);
        assertFalse(bench.record(pool, 0).isRetired());
        assertKeeps(bench.data(RECORD));
    }

    /** With more than ten slots, slot 0 has another name, under which it is retired again. */
    @Test
    void shouldKeepFieldsOfTheNextVersionWhenLayoutChanges() {
        bench.replica("before", sno).step().loop.close();
        view().retire(sno, 0);
        change(RECORD, VersionsTest::next);
        change(LAYOUT, VersionsTest::next);
        Scheme<?> larger = new SnoScheme(7, 1, 16);
        OnStore.relayout(bench.access(larger), larger, true);
        assertKeeps(bench.data(LAYOUT));
        assertKeeps(bench.data("/ids/sno/records/00"));
        Replicated replica = bench.replica("a", larger).step().stepFor(Duration.ofSeconds(93));
        assertTrue(replica.serves(), () -> replica.why());
    }

    @Test
    void shouldKeepFieldsOfTheNextVersionWhenFenceIsRestored() {
        bench.replica("before", sno).step().loop.close();
        change(Bench.TREE.meta(), VersionsTest::next);
        OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
        assertKeeps(bench.data(Bench.TREE.meta()));
    }

    /** Replicas without a rule for versions wrote none of their own accord, or an operator left it out. */
    @Test
    void shouldGoOnInARootWithoutVersions() {
        Replicated before = bench.replica("before", sno).step();
        long ceiling = before.tenure().fence().ceilingTick();
        bench.zookeeper.expire(before.client.session().id());
        for (String path : List.of(Bench.TREE.meta(), LAYOUT, RECORD)) {
            change(path, payload -> payload.replaceFirst("\"version\":[13],", ""));
        }
        Replicated replica = bench.replica("a", sno).stepFor(Duration.ofSeconds(15));
        assertTrue(replica.serves(), () -> replica.why());
        assertTrue(replica.tenure().fence().floorTick() > ceiling);
        assertEquals(3, bench.record(pool, 0).version());
        OnStore.relayout(bench.access(Bench.sno(2)), Bench.sno(2), true);
        OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
    }

    /**
     * Each change that a later version may make begins another generation, or incarnation: so a tenure may end by
     * itself.
     */
    @Test
    void shouldNotServeUnderALayoutThatOnlyLaterVersionsUnderstand() {
        bench.replica("before", sno).step().loop.close();
        change(LAYOUT, VersionsTest::foreign);
        String layout = bench.data(LAYOUT);
        Replicated replica = bench.replica("a", sno).stepFor(Duration.ofSeconds(30));
        assertUnderstoodLater(replica.reason(), replica.why(), LAYOUT);
        assertTrue(bench.leases(pool).isEmpty());
        assertEquals(layout, bench.data(LAYOUT));

        bench.zookeeper.set(LAYOUT, layout.replace("\"readableFrom\":4", "\"readableFrom\":1"));
        replica.stepFor(Duration.ofSeconds(5));
        assertTrue(replica.serves(), () -> replica.why());
    }

    @Test
    void shouldFenceWhenOnlyLaterVersionsUnderstandMeta() {
        Replicated replica = bench.replica("a", sno).step();
        Tenure tenure = replica.tenure();
        change(Bench.TREE.meta(), VersionsTest::foreign);
        String meta = bench.data(Bench.TREE.meta());
        replica.step();
        assertEquals(FenceReason.META_CHANGED, Bench.whyTripped(tenure));
        replica.stepFor(Duration.ofSeconds(30));
        assertUnderstoodLater(replica.reason(), replica.why(), Bench.TREE.meta());
        assertEquals(meta, bench.data(Bench.TREE.meta()));
    }

    /** Neither claims anybody the slot, nor begins a layout that would have to count what the record reserves. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotServeWhereOnlyLaterVersionsUnderstandTheRecord(boolean layoutLost) {
        bench.replica("before", sno).step().loop.close();
        change(RECORD, VersionsTest::foreign);
        String record = bench.data(RECORD);
        if (layoutLost) {
            bench.zookeeper.delete(LAYOUT);
        }
        Replicated next = bench.replica("next", sno).stepFor(Duration.ofMinutes(2));
        assertUnderstoodLater(next.reason(), next.why(), RECORD);
        assertEquals(layoutLost, bench.zookeeper.node(LAYOUT).isEmpty());
        assertEquals(record, bench.data(RECORD));
    }

    @Test
    void shouldNameALaterReplicaWhenItHoldsTheLastSlot() {
        bench.replica("before", sno).step();
        change("/ids/sno/leases/0", VersionsTest::foreign);
        Replicated replica = bench.replica("a", sno).step();
        assertEquals(FenceReason.NO_FREE_SLOT, replica.reason());
        assertTrue(replica.why().contains("0 by a replica of a later version"), replica.why());
    }

    /** What an operator would write over. With more than ten slots, slot 0 is called 00. */
    @ParameterizedTest
    @CsvSource({
        "retire, /ids/sno/records/0",
        "unretire, /ids/sno/records/0",
        "unretire, /ids/sno/records/00",
        "relayout, /ids/sno/layout",
        "relayout, /ids/sno/records/0",
        "relayout, /ids/sno/records/00",
        "fence-restore, /ids/meta",
        "fence-restore, /ids/sno/layout",
        "fence-restore, /ids/sno/records/0"
    })
    void shouldWriteNothingOverWhatOnlyLaterVersionsUnderstand(String command, String path) {
        bench.replica("before", sno).step().loop.close();
        view().retire(sno, 0);
        bench.zookeeper.create("/ids/sno/records/00", bench.data(RECORD), 0);
        change(path, VersionsTest::foreign);
        var before = bench.zookeeper.tree();
        Executable run = switch (command) {
            case "retire" -> () -> view().retire(sno, 0);
            case "unretire" -> () -> view().unretire(sno, 0, Instant.EPOCH);
            case "relayout" -> () -> OnStore.relayout(bench.access(Bench.sno(16)), Bench.sno(16), true);
            default -> () -> OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
        };
        String why = String.valueOf(assertThrows(RuntimeException.class, run).getMessage());
        assertTrue(why.contains(path + LATER), why);
        assertEquals(
                List.copyOf(before.keySet()), List.copyOf(bench.zookeeper.tree().keySet()));
        before.forEach((each, node) -> assertEquals(node.data(), bench.data(each)));
    }

    @Test
    void shouldTellOperatorsToRunTheLaterVersion() {
        bench.replica("before", sno).step().loop.close();
        change(RECORD, VersionsTest::foreign);
        assertTold();
        change(RECORD, payload -> payload.replace("\"readableFrom\":4", "\"readableFrom\":1"));
        change(LAYOUT, VersionsTest::foreign);
        assertTold();
    }

    private void assertTold() {
        Check check = OnStore.examine(bench.access(sno)).stream()
                .filter(each -> each.name().equals("sno"))
                .findFirst()
                .orElseThrow();
        assertEquals("newer-version", check.reason());
        assertTrue(
                String.valueOf(check.remedy()).startsWith("run the later version of this software here"),
                check::toString);
    }

    /** The record as version 1 writes it over another one: it keeps {@code write}, which it does not know. */
    private static String ofVersion1(String payload, String nonce) {
        return payload.replaceFirst("\"version\":3", "\"version\":1")
                .replace(",\"readableFrom\":1", "")
                .replaceFirst("\"nonce\":\"[^\"]*\"", "\"nonce\":\"" + nonce + "\"");
    }

    /** Whoever does not know long windows counts too little of what is reserved. */
    @Test
    void shouldRefuseALongWindowWhileOlderReplicasAreMembers() {
        Replicated older = bench.replica("older", sno).step();
        String member = "/ids/members/older";
        change(member, payload -> payload.replaceFirst(",\"knows\":[0-9]+", ""));
        OperatorAccess access = new OperatorAccess(
                bench.zookeeper.connect(),
                bench.clock(),
                Bench.settings("operator", List.of(sno)).withWindow(Duration.ofMinutes(2)));
        String before = bench.data(LAYOUT);
        RefusedException refused = assertThrows(RefusedException.class, () -> OnStore.relayout(access, sno, true));
        assertTrue(String.valueOf(refused.getMessage()).contains("do not understand: older; upgrade them"));
        assertEquals(before, bench.data(LAYOUT));

        bench.zookeeper.expire(older.client.session().id());
        OnStore.relayout(access, sno, true);
        assertTrue(bench.data(LAYOUT).startsWith("{\"version\":3,"), "older software does not read it");
    }

    /**
     * To earlier software a floor of more than a day ahead is malformed, and its remedy for that would lower the floor.
     */
    @Test
    void shouldHaveEarlierSoftwareLeaveFloorsAloneThatItTakesForMalformed() {
        Duration day = Duration.ofDays(1);
        assertEquals(1, meta(day).version());
        assertEquals(3, meta(day.plusMillis(1)).version());
        assertEquals(1, layout(day).version());
        assertEquals(3, layout(day.plusMillis(1)).version());
    }

    private static MetaNode meta(Duration ahead) {
        return MetaNode.begun(null, Instant.EPOCH, ahead, Map.of());
    }

    private LayoutNode layout(Duration ahead) {
        Terms terms = Bench.settings("a", List.of(sno)).terms();
        return LayoutNode.begun(sno.pool().orElseThrow(), terms, Instant.EPOCH, ahead, Map.of());
    }

    @Test
    void shouldLetVersion1ReadWhatItWrites() {
        bench.replica("a", sno).step();
        String record = bench.data(RECORD);
        assertTrue(
                record.matches(
                        "[{]\"version\":3,.*,\"write\":\"[0-9a-f]{16}\",\"contact\":[{][^}]+[}],\"readableFrom\":1}"),
                record);
        for (String path : List.of(Bench.TREE.meta(), LAYOUT, "/ids/sno/leases/0", "/ids/members/a")) {
            assertTrue(bench.data(path).startsWith("{\"version\":1,"), "not changed: " + bench.data(path));
            assertFalse(bench.data(path).contains("readableFrom"), path);
        }
    }

    /** Its bits tell of an earlier tenure: who reads them back did not write the record, whatever they say. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTakeBitsThatVersion1KeptForItsOwn(boolean underItsOwnNonce) {
        Replicated replica = bench.replica("a", sno).step();
        Tenure tenure = replica.tenure();
        change(RECORD, payload -> ofVersion1(payload, underItsOwnNonce ? tenure.nonce() : "theirs"));
        assertNull(bench.record(pool, 0).write());
        replica.stepFor(Duration.ofSeconds(3));
        assertEquals(FenceReason.RECORD_TAKEN, Bench.whyTripped(tenure));
    }

    /** Up and down again, one tenure after the other: each goes on at once where the one before has left off. */
    @Test
    void shouldClaimAfterVersion1AndLeaveWhatThatUnderstands() {
        Replicated first = bench.replica("before", sno).step();
        first.draw(3);
        first.loop.close();
        change(RECORD, payload -> ofVersion1(payload, "theirs"));
        Replicated next = bench.replica("a", sno).step();
        assertEquals(16, Objects.requireNonNull(bench.record(pool, 0).write()).length());
        assertTrue(next.serves(), () -> next.why());
        next.draw(3);
        next.loop.close();
        assertTrue(bench.record(pool, 0).released());
        assertEquals(1, bench.data(RECORD).split("\"write\"", -1).length - 1, bench.data(RECORD));
    }
}
