package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.calling;
import static org.idallocator.ensembles.TestReplicas.held;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.Caller.Bits;
import org.idallocator.zk.testing.Caller.Phase;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.Sessions;
import org.idallocator.zk.testing.TcpProxy;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.znode.LeaseNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every way to lose a slot, on a real ZooKeeper and under callers that never stop. Issuing ends by itself within the protocol's
 * bound, nothing is issued until a new tenure serves, and no ID comes twice.
 *
 * <table>
 * <caption>How long IDs may still come</caption>
 * <tr><td>no answer from ZooKeeper, session expired</td><td>0.8 of the session timeout</td></tr>
 * <tr><td>lease deleted or replaced, meta gone or changed</td><td>at once, as these are watched: {@link #AT_ONCE}</td></tr>
 * <tr><td>record overwritten</td><td>until the next renewal: a quarter window, and the time it takes</td></tr>
 * </table>
 *
 * What counts is when the last call that got an ID began. The fence is asked after that, so the first bound holds exactly,
 * however slow the machine is.
 *
 * <p>The line to ZooKeeper has a delay, so that the time between two tenures is long enough for callers to see it.
 */
@Execution(ExecutionMode.CONCURRENT)
class FencingIT {
    /** Of a tenure that ends by itself, and not before its time where callers and ZooKeeper get little of a processor. */
    private static final Duration SESSION = Duration.ofSeconds(Proof.size(12, 8));

    private static final Duration LONG_SESSION = Duration.ofSeconds(10);
    /** An election or a restart takes seconds where all members share a busy machine. */
    private static final Duration OUTAGE_SESSION = Duration.ofSeconds(40);

    /** So long that a renewal comes much later than what is watched, also on a busy machine. */
    private static final Duration WATCHED_SESSION = Duration.ofSeconds(Proof.size(60, 20));
    /** Below a quarter of that session's window of 0.8, after which a renewal would notice as well. */
    private static final long AT_ONCE =
            Proof.size(HangGuard.TIME, Duration.ofMillis(3_900)).toNanos();

    private static final Duration LINE_DELAY = Duration.ofMillis(15);

    private static final long RENEWAL_SLACK = Duration.ofSeconds(1).toNanos();
    private static final SnoScheme SNO = new SnoScheme(0, 16, 4);
    private static final SnoScheme ONE_SLOT = new SnoScheme(0, 1, 1);
    private static final MuidScheme MUID = new MuidScheme();

    @AutoClose
    private static final ZooKeepers ZOOKEEPER = ZooKeepers.alone();

    private final DuplicateChecker snos = new DuplicateChecker();
    private final DuplicateChecker muids = new DuplicateChecker();

    @AutoClose
    private final TcpProxy line = TcpProxy.to(ZOOKEEPER.address(0), LINE_DELAY);

    @AfterEach
    void requireNoDuplicates() {
        snos.requireNone();
        muids.requireNone();
    }

    @Test
    void shouldStopBeforeTheServerGivesTheSlotAwayWhenNothingPassesTheLine() {
        TestReplicas direct = TestReplicas.of(ZOOKEEPER.address(0), SESSION);
        try (IdAllocator cutOff = direct.through(line.address()).connect(ONE_SLOT);
                Caller caller = calling(cutOff, ONE_SLOT, snos);
                IdAllocator other = direct.connect(ONE_SLOT);
                Caller otherCaller = Caller.of(other.generator(ONE_SLOT), snos)) {
            await().until(() -> otherCaller.refused(FenceReason.NO_FREE_SLOT));
            HeldSlot before = cutOff.held().get(0);
            line.blackhole();
            long from = System.nanoTime();
            await().until(otherCaller::issuing);
            HeldSlot others = other.held().get(0);
            assertTrue(others.floorTick() > before.floorTick(), "the next holder begins above: " + others);
            line.heal();
            await().until(() -> caller.refused(FenceReason.NO_FREE_SLOT));
            TestReplicas.closeAll(List.of(other));
            requireOneGap(cutOff, ONE_SLOT, caller, before, FenceReason.DEADLINE_PASSED);
            requireEnded(caller, from, SESSION.toNanos() / 10 * 8);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldResumeOnAnotherSlotWhenTheSessionExpired() throws Exception {
        TestReplicas replicas = TestReplicas.of(line.address(), LONG_SESSION);
        try (IdAllocator allocator = replicas.connect(SNO, MUID);
                Caller caller = calling(allocator, SNO, snos);
                Caller other = calling(allocator, MUID, muids)) {
            HeldSlot sno = held(allocator, SNO);
            HeldSlot muid = held(allocator, MUID);
            Sessions.expire(ZOOKEEPER.connectString(), lease(allocator, SNO).session());
            long from = System.nanoTime();
            requireOneGap(allocator, SNO, caller, sno, FenceReason.SESSION_LOST);
            requireOneGap(allocator, MUID, other, muid, FenceReason.SESSION_LOST);
            requireEnded(caller, from, LONG_SESSION.toNanos() / 10 * 8);
            requireEnded(other, from, LONG_SESSION.toNanos() / 10 * 8);
        }
    }

    @Test
    void shouldStopAtOnceWhenTheLeaseIsDeletedAndLeaveOtherSchemesAlone() {
        TestReplicas replicas = TestReplicas.of(line.address(), WATCHED_SESSION);
        try (IdAllocator allocator = replicas.connect(SNO, MUID);
                Admin admin = Admin.of(ZOOKEEPER.connectString());
                Caller caller = calling(allocator, SNO, snos);
                Caller other = calling(allocator, MUID, muids)) {
            HeldSlot before = held(allocator, SNO);
            admin.delete(before.path());
            long from = System.nanoTime();
            requireOneGap(allocator, SNO, caller, before, FenceReason.LEASE_GONE);
            requireEnded(caller, from, AT_ONCE);
            assertEquals(List.of(), other.refusals());
        }
    }

    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldStopAtOnceWhenTheLeaseBelongsToAnother() {
        TestReplicas replicas = TestReplicas.of(line.address(), WATCHED_SESSION);
        try (IdAllocator allocator = replicas.connect(ONE_SLOT);
                Admin admin = Admin.of(ZOOKEEPER.connectString());
                Caller caller = calling(allocator, ONE_SLOT, snos)) {
            HeldSlot before = allocator.held().get(0);
            admin.replace(before.path(), admin.read(before.path()).replace(before.nonce(), "another"));
            long from = System.nanoTime();
            await().until(() -> caller.refused(FenceReason.NO_FREE_SLOT));
            admin.delete(before.path());
            requireOneGap(allocator, ONE_SLOT, caller, before, FenceReason.LEASE_REPLACED);
            requireEnded(caller, from, AT_ONCE);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldStopWithinAQuarterWindowWhenTheRecordIsOverwritten() {
        TestReplicas replicas = TestReplicas.of(line.address(), SESSION);
        try (IdAllocator allocator = replicas.connect(SNO);
                Admin admin = Admin.of(ZOOKEEPER.connectString());
                Caller caller = calling(allocator, SNO, snos)) {
            HeldSlot before = allocator.held().get(0);
            String record = before.path().replace("/leases/", "/records/");
            admin.write(record, admin.read(record).replace(before.nonce(), "another"));
            long from = System.nanoTime();
            requireOneGap(allocator, SNO, caller, before, FenceReason.RECORD_TAKEN);
            requireEnded(caller, from, SESSION.toNanos() / 4 + RENEWAL_SLACK);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldStopAtOnceWithoutMetaAndResumeOnlyAfterFenceRestore() {
        TestReplicas replicas = TestReplicas.of(line.address(), WATCHED_SESSION);
        try (IdAllocator allocator = replicas.connect(SNO, MUID);
                Admin admin = Admin.of(ZOOKEEPER.connectString());
                Caller caller = calling(allocator, SNO, snos);
                Caller other = calling(allocator, MUID, muids)) {
            HeldSlot sno = renewed(allocator, SNO);
            HeldSlot muid = renewed(allocator, MUID);
            admin.delete(replicas.tree().meta());
            long from = System.nanoTime();
            await().until(() -> caller.refused(FenceReason.META_GONE) && other.refused(FenceReason.META_GONE));
            await().during(SESSION).until(() -> !caller.issuing() && !other.issuing());

            FenceRestore.Report report = FenceRestore.run(replicas.settings(SNO, MUID), replicas.promised());
            assertEquals("none", report.oldIncarnation());
            requireOneGap(allocator, SNO, caller, sno, FenceReason.META_GONE);
            requireOneGap(allocator, MUID, other, muid, FenceReason.META_GONE);
            requireEnded(caller, from, AT_ONCE);
            requireEnded(other, from, AT_ONCE);
            assertTrue(!idOf(SNO, caller.issued().get(1))
                    .time()
                    .isBefore(report.floor().minusMillis(4)));
        }
    }

    /** The replica may look while the old meta is gone and the new one is not there yet. */
    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldServeByAnotherTenureWhenMetaChanges() {
        TestReplicas replicas = TestReplicas.of(line.address(), WATCHED_SESSION);
        try (IdAllocator allocator = replicas.connect(MUID);
                Caller caller = calling(allocator, MUID, muids)) {
            HeldSlot before = renewed(allocator, MUID);
            FenceRestore.run(replicas.through(ZOOKEEPER.connectString()).settings(MUID), replicas.promised());
            long from = System.nanoTime();
            requireOneGap(allocator, MUID, caller, before, Set.of(FenceReason.META_CHANGED, FenceReason.META_GONE));
            requireEnded(caller, from, AT_ONCE);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldLoseNothingWhenTheConnectionIsSuspendedForLessThanTheDeadline() {
        try (ZooKeepers suspended = ZooKeepers.alone();
                TcpProxy lineOfItsOwn = TcpProxy.to(suspended.address(0), LINE_DELAY);
                IdAllocator allocator =
                        TestReplicas.of(lineOfItsOwn.address(), OUTAGE_SESSION).connect(SNO);
                Caller caller = calling(allocator, SNO, snos)) {
            HeldSlot before = allocator.held().get(0);
            long callsBefore = caller.issued().get(0).calls();
            suspended.kill(0);
            await().until(() -> suspended.mode(0).isEmpty());
            suspended.restart(0);
            requireUntouched(allocator, caller, before, callsBefore);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end, or starts ZooKeepers of its own")
    void shouldLoseNothingWhenTheLeaderOfAnEnsembleIsKilled() {
        try (ZooKeepers ensemble = ZooKeepers.ensemble();
                IdAllocator allocator = TestReplicas.of(ensemble.connectString(), OUTAGE_SESSION)
                        .connect(SNO);
                Caller caller = calling(allocator, SNO, snos)) {
            HeldSlot before = allocator.held().get(0);
            long callsBefore = caller.issued().get(0).calls();
            ensemble.kill(ensemble.awaitLeader());
            requireUntouched(allocator, caller, before, callsBefore);
        }
    }

    /** Waits until the same tenure has been renewed; callers have noticed nothing. */
    private static void requireUntouched(IdAllocator allocator, Caller caller, HeldSlot before, long callsBefore) {
        long ceiling = allocator.held().get(0).ceilingTick();
        await().until(() ->
                !allocator.held().isEmpty() && allocator.held().get(0).ceilingTick() > ceiling);
        assertEquals(before.nonce(), allocator.held().get(0).nonce());
        assertEquals(List.of(), caller.refusals(), caller::toString);
        assertTrue(caller.issued().get(0).calls() > callsBefore);
    }

    /** The slot after its first renewal: on a busy machine, the watches on what was claimed may be set only after the first ID. */
    private static HeldSlot renewed(IdAllocator allocator, Scheme<?> scheme) {
        HeldSlot claimed = held(allocator, scheme);
        await().until(() -> held(allocator, scheme).ceilingTick() > claimed.ceilingTick());
        return held(allocator, scheme);
    }

    private static LeaseNode lease(IdAllocator allocator, Scheme<?> scheme) {
        long slot = scheme.pool().orElseThrow().slotOf(held(allocator, scheme).slot());
        return allocator.cluster().holder(scheme, slot).lease().orElseThrow();
    }

    /**
     * The caller got IDs, then refusals, then IDs of another tenure, and nothing in between; and the first tenure's fence tripped for
     * this reason. (Callers may be told of a ZooKeeper that does not answer meanwhile, as soon as that is known.)
     */
    private static void requireOneGap(
            IdAllocator allocator, Scheme<?> scheme, Caller caller, HeldSlot before, FenceReason reason) {
        requireOneGap(allocator, scheme, caller, before, Set.of(reason));
    }

    /** The same, for one of several reasons. */
    private static void requireOneGap(
            IdAllocator allocator, Scheme<?> scheme, Caller caller, HeldSlot before, Set<FenceReason> reasons) {
        await().until(() ->
                caller.issued().size() > 1 && allocator.status(scheme).active());
        HeldSlot now = held(allocator, scheme);
        assertEquals(2, caller.issued().size(), caller::toString);
        assertFalse(caller.refusals().isEmpty(), caller::toString);
        Map<FenceReason, Long> fences = fences(allocator, scheme);
        assertEquals(List.of(1L), List.copyOf(fences.values()), caller::toString);
        assertTrue(reasons.containsAll(fences.keySet()), fences::toString);
        assertNotEquals(before.nonce(), now.nonce());
        requireFrom(now, scheme, caller.issued().get(1));
    }

    /** How many fences of the scheme's tenures have tripped, by reason. */
    private static Map<FenceReason, Long> fences(IdAllocator allocator, Scheme<?> scheme) {
        return allocator.leaseCounts().stream()
                .filter(counts -> counts.scheme().equals(scheme.name()))
                .flatMap(counts -> counts.fences().entrySet().stream())
                .filter(tripped -> tripped.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The first ID after the gap belongs to the new tenure. */
    private static <T extends Id> void requireFrom(HeldSlot tenure, Scheme<T> scheme, Phase phase) {
        SlotPool pool = scheme.pool().orElseThrow();
        T id = idOf(scheme, phase);
        assertEquals(tenure.slot(), pool.nameOf(scheme.slotOf(id).orElseThrow()));
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, id.time());
        assertTrue(pool.unit().tickAt(micros) >= tenure.floorTick(), id + " is below " + tenure);
    }

    private static <T extends Id> T idOf(Scheme<T> scheme, Phase phase) {
        Bits first = Objects.requireNonNull(phase.first());
        return scheme.type().reader().of(first.high(), first.low());
    }

    private static void requireEnded(Caller caller, long fromNanos, long boundNanos) {
        long lastNanos = caller.issued().get(0).untilNanos() - fromNanos;
        System.out.printf(
                "last ID asked for %d ms after the fault, bound %d ms%n",
                lastNanos / 1_000_000, boundNanos / 1_000_000);
        assertTrue(lastNanos < boundNanos, () -> lastNanos / 1_000_000 + " ms: " + caller);
    }
}
