package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Windows that outlast the return of a backup. Whoever claims waits until nothing can be forgotten any more, unless
 * another replica vouches that ZooKeeper has lost nothing; and nobody claims what its holder may take up again.
 */
final class LongWindowsTest {
    private static final Duration WINDOW = Duration.ofMinutes(2);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SILENCE = Duration.ofSeconds(16);

    /** Window, skew and slack, without the time that a backup's return takes. */
    private static final Duration FORGOTTEN = Duration.ofSeconds(120 + 2 + 2 - 16);

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(4);

    private static AllocatorSettings settings(String name, Scheme<?> scheme) {
        return Bench.settings(name, List.of(scheme)).withWindow(WINDOW);
    }

    private Replicated replica(String name) {
        return bench.replica(settings(name, sno));
    }

    /** One that has served for a while, which is long enough for everything before it to be past. */
    private Replicated serving() {
        Replicated first = replica("first").step();
        assertTrue(first.serves(), "at once, as the root is new");
        return first.stepFor(Duration.ofMinutes(10));
    }

    private void assertWaits(Replicated waiting) {
        assertFalse(waiting.serves());
        assertEquals(FenceReason.COOLING, waiting.reason());
        assertTrue(waiting.why().contains("a backup of ZooKeeper may have come back"), waiting.why());
        waiting.stepFor(FORGOTTEN.minus(SECOND));
        assertFalse(waiting.serves());
        waiting.stepFor(SECOND.multipliedBy(2));
        assertTrue(waiting.serves(), () -> waiting.why());
    }

    @Test
    void shouldClaimAtOnceWhereAnotherReplicaVouches() {
        var unused = serving();
        assertTrue(replica("second").step().serves());
    }

    /** A rolling restart of the only replica takes a moment. */
    @ParameterizedTest
    @CsvSource({"10, true", "20, false"})
    void shouldClaimAtOnceAfterAShortStop(long seconds, boolean atOnce) {
        serving().loop.close();
        bench.advance(Duration.ofSeconds(seconds));
        Replicated next = replica("next").step();
        if (atOnce) {
            assertTrue(next.serves());
        } else {
            assertWaits(next);
        }
    }

    @Test
    void shouldNotBelieveRecordsThatCameBackWithABackup() {
        Replicated first = serving();
        NavigableMap<String, Znode> backup = bench.zookeeper.tree();
        first.client.connected(false);
        bench.advance(SILENCE);
        bench.zookeeper.restore(backup, List.of());
        assertWaits(replica("second").step());
    }

    /** Also where windows are short: then that is past already, and below no tick that anybody issues from now on. */
    @Test
    void shouldClaimAboveWhatMayBeForgotten() {
        Replicated first = bench.replica(Bench.settings("first", List.of(sno))).step();
        first.stepFor(Duration.ofMinutes(1));
        first.loop.close();
        bench.advance(SILENCE.plus(SECOND));
        Replicated next = bench.replica(Bench.settings("next", List.of(sno))).step();
        assertTrue(next.serves());
        Instant floor =
                next.tenure().slot().unit().instantAt(next.tenure().fence().floorTick());
        assertFalse(floor.isBefore(bench.now().minus(Duration.ofSeconds(2))));
    }

    /** Its writer may have sent it in a history that was lost, and a backup may have come back before it arrived. */
    @Test
    void shouldNotBelieveARecordThatArrivedLate() {
        Replicated first = serving();
        String record = Bench.TREE.record(first.tenure().slot());
        first.client.connected(false);
        bench.advance(SILENCE);
        String heard = bench.now().minus(SILENCE).toString();
        bench.zookeeper.set(
                record, bench.data(record).replaceFirst("\"heard\":\"[^\"]*\"", "\"heard\":\"" + heard + "\""));
        assertWaits(replica("second").step());
    }

    /**
     * Whoever reaches ZooKeeper much later does not believe the operator: a backup may have come back with the promise
     * since.
     */
    @ParameterizedTest
    @CsvSource({"1, true", "16, false"})
    void shouldNotWaitWhereAnOperatorPromisesThatNothingCameBack(long secondsBefore, boolean believed) {
        serving().loop.close();
        bench.advance(Duration.ofHours(1));
        OnStore.promiseNothingRestored(bench.access(sno), needed());
        bench.advance(Duration.ofSeconds(secondsBefore));
        assertEquals(believed, replica("next").step().serves());
    }

    /** What was reserved since then may not be past, by the window that the layout has. */
    private Instant needed() {
        return bench.now().minus(settings("any", sno).terms().lead());
    }

    /** Else an operator who knows of shorter windows alone promises more than is known. */
    @Test
    void shouldRefuseAPromiseThatDoesNotReachBackAsFarAsTheLongestWindow() {
        serving().loop.close();
        bench.advance(Duration.ofHours(1));
        Instant later = needed().plusMillis(1);
        RefusedException refused =
                assertThrows(RefusedException.class, () -> OnStore.promiseNothingRestored(bench.access(sno), later));
        assertTrue(String.valueOf(refused.getMessage()).contains(needed().toString()), refused.getMessage());
        assertWaits(replica("next").step());
    }

    /** The same while it waits. */
    @Test
    void shouldHearOfThePromiseWhileItWaits() {
        serving().loop.close();
        bench.advance(Duration.ofHours(1));
        Replicated next = replica("next").step();
        assertFalse(next.serves());
        OnStore.promiseNothingRestored(bench.access(sno), needed());
        next.stepFor(Duration.ofSeconds(7));
        assertTrue(next.serves(), () -> next.why());
    }

    /**
     * Worker IDs end, and a tenure reserves no time after its end: so nobody waits for longer than the longest lasts
     * that anybody may have, whose own tenures are shorter, too.
     */
    @Test
    void shouldWaitNoLongerThanTheLongestTenureLasts() {
        Scheme<?> uid60 = new Uid60Scheme(Duration.ofMinutes(1));
        AllocatorSettings settings = settings("a", uid60).withWindow(Duration.ofHours(24));
        bench.replica(settings).step().loop.close();
        bench.advance(Duration.ofHours(2));
        Replicated next = bench.replica(settings).step();
        next.stepFor(Duration.ofSeconds(3_600 + 2 + 2 + 2 - 16 - 1));
        assertFalse(next.serves());
        next.stepFor(SECOND.multipliedBy(2));
        assertTrue(next.serves(), () -> next.why());
    }

    /** A relayout, fence-restore and a new root have made whoever claims wait already, by their floors. */
    @Test
    void shouldWaitForTheFloorAloneWhereTheGenerationHasJustBegun() {
        serving().loop.close();
        bench.advance(Duration.ofHours(1));
        bench.zookeeper.delete(Bench.ROOT);
        Replicated next = replica("next").step();
        Duration floor = settings("any", sno).terms().ahead();
        next.stepFor(floor.plus(SECOND.multipliedBy(5)));
        assertTrue(next.serves(), () -> next.why());
    }

    /** The holder takes its slot up again, or its time is past, by ZooKeeper's clock. */
    @ParameterizedTest
    @CsvSource({"60, true", "130, false"})
    void shouldLeaveASlotToItsHolderWhileItsTimeLasts(long cutOffSeconds, boolean takenUp) {
        Scheme<?> one = Bench.sno(1);
        Replicated holder = bench.replica(settings("holder", one)).step();
        Tenure tenure = holder.tenure();
        Replicated other = bench.replica(settings("other", one)).step();
        assertEquals(FenceReason.NO_FREE_SLOT, other.reason());
        holder.client.connected(false);
        holder.step();
        bench.zookeeper.expire(holder.client.believedSession());
        other.stepFor(Duration.ofSeconds(cutOffSeconds));
        assertEquals(takenUp ? FenceReason.COOLING : null, other.serves() ? null : other.reason());
        holder.client.connected(true);
        holder.stepFor(SECOND);
        assertEquals(takenUp, holder.slots().tenures().contains(tenure));
        assertEquals(!takenUp, other.serves());
    }

    /**
     * Whoever waits for a slot asks for ZooKeeper's time, so that it knows that nothing was lost when a slot comes
     * free.
     */
    @Test
    void shouldClaimAtOnceAfterItHasWaitedForASlot() {
        Scheme<?> one = Bench.sno(1);
        Replicated holder = bench.replica(settings("holder", one)).step();
        Replicated other = bench.replica(settings("other", one)).step();
        other.stepFor(Duration.ofMinutes(5));
        String record = Bench.TREE.record(holder.tenure().slot());
        holder.loop.close();
        bench.advance(SECOND);
        bench.zookeeper.set(record, bench.data(record).replaceFirst("\"contact\":[{][^}]*[}],", ""));
        other.stepFor(SECOND);
        assertTrue(other.serves(), () -> other.why());
    }

    /**
     * What is reserved may be over by ZooKeeper's time before this replica's clock says so: then somebody may have
     * claimed the slot.
     */
    @ParameterizedTest
    @CsvSource({"0, true", "1900, false"})
    void shouldTakeUpAfterASilenceOnlyWhatIsAheadOfZooKeepersTime(long leaderOffMillis, boolean takenUp) {
        Replicated replica = bench.replica(settings("a", sno).withWindow(Duration.ofSeconds(20)))
                .step();
        Tenure tenure = replica.tenure();
        replica.client.connected(false);
        bench.zookeeper.expire(replica.client.believedSession());
        replica.stepFor(Duration.ofSeconds(18));
        bench.leaderOff(Duration.ofMillis(leaderOffMillis));
        replica.client.connected(true);
        replica.stepFor(SECOND);
        assertEquals(takenUp, replica.slots().tenures().contains(tenure));
        assertEquals(takenUp ? FenceReason.STARTING : FenceReason.CEILING_PASSED, Bench.whyTripped(tenure));
    }

    /**
     * A backup came back during the silence, and the session with it; another has claimed the slot since, at the
     * version that is known.
     */
    @Test
    void shouldReadItsSlotsBackAfterASilenceOnTheSameSession() {
        Replicated replica = serving();
        Tenure tenure = replica.tenure();
        String path = Bench.TREE.record(tenure.slot());
        replica.client.connected(false);
        replica.stepFor(SILENCE);
        NavigableMap<String, Znode> another = new TreeMap<>(bench.zookeeper.tree());
        Znode record = Objects.requireNonNull(another.get(path));
        another.put(
                path,
                new Znode(
                        record.data().replace(tenure.nonce(), "theirs"),
                        record.version(),
                        record.owner(),
                        record.sequence(),
                        record.childrenDeleted(),
                        record.leaderMillis(),
                        record.transaction()));
        bench.zookeeper.restore(another);
        replica.client.connected(true);
        replica.stepFor(SECOND);
        assertEquals(FenceReason.RECORD_TAKEN, Bench.whyTripped(tenure));
    }

    /** A backup may have come back between the choice of a slot and its claim. */
    @Test
    void shouldClaimNothingThatItChoseBeforeASilence() {
        Replicated first = serving();
        Replicated second = replica("second");
        List<String> sent = new ArrayList<>();
        second.amid("read /ids/sno/records/", Fault.NONE, () -> {
            bench.advance(SILENCE);
            second.client.faults(call -> {
                if (call.startsWith("multi")) {
                    sent.add(call);
                }
                return Fault.NONE;
            });
        });
        second.step();
        assertFalse(sent.get(0).contains("/leases/"), sent::toString);
        first.stepFor(SECOND);
    }

    /** Only what the replica knows since the silence. */
    @Test
    void shouldVouchForNoMoreThanItKnows() {
        Replicated replica = serving();
        SlotPool pool = sno.pool().orElseThrow();
        long slot = replica.tenure().slot().number();
        Instant since =
                Objects.requireNonNull(bench.record(pool, slot).contact()).since();
        assertTrue(since.isBefore(bench.now().minus(Duration.ofMinutes(9))));
        replica.client.connected(false);
        replica.stepFor(SILENCE.plus(SECOND));
        Instant back = bench.now();
        replica.client.connected(true);
        replica.stepFor(SECOND);
        assertFalse(Objects.requireNonNull(bench.record(pool, slot).contact())
                .since()
                .isBefore(back.minusMillis(1)));
    }

    @Test
    void shouldWaitOnlyForTheSchemesWhoseWindowsAreLong() {
        AllocatorSettings both =
                Bench.settings("a", List.of(sno, new MuidScheme())).withWindows(Map.of("muid", WINDOW));
        Replicated first = bench.replica(both).step();
        assertTrue(first.serves(0) && first.serves(1));
        first.loop.close();
        bench.advance(Duration.ofMinutes(1));
        Replicated next = bench.replica(both).step();
        assertTrue(next.serves(0));
        assertFalse(next.serves(1));
        next.stepFor(FORGOTTEN.plus(SECOND));
        assertTrue(next.serves(1));
    }
}
