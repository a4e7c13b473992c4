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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException.NoNodeException;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Every way to lose a slot, on a real ZooKeeper and under callers that never stop. Issuing ends by itself within the
 * protocol's bound, nothing is issued until a new tenure serves, and no ID comes twice.
 *
 * <table>
 * <caption>How long IDs may still come</caption>
 * <tr><td>no answer from ZooKeeper</td><td>a window, which is as long as a session timeout here</td></tr>
 * <tr><td>lease deleted or replaced, meta gone or changed</td><td>at once, as these are watched: {@link #AT_ONCE}</td></tr>
 * <tr><td>record overwritten</td><td>until the next renewal: a quarter window, and the time it takes</td></tr>
 * </table>
 *
 * What counts is when the last call that got an ID began. The fence is asked after that, so the first bound holds
 * exactly, however slow the machine is. That nothing is lost while a leader is elected, or a connection is away for
 * less than the deadline, the fault matrix has: it is rows "leader killed" and "rolling zookeepers".
 *
 * <p>The line to ZooKeeper has a delay, so that the time between two tenures is long enough for callers to see it.
 */
@Execution(ExecutionMode.CONCURRENT)
class FencingIT {
    /**
     * Of a tenure that ends by itself, and not before its time where callers and ZooKeeper get little of a processor:
     * in the proof, more tests run beside each other.
     */
    private static final Duration SESSION = Duration.ofSeconds(Proof.size(6, 8));

    /** So long that a renewal comes much later than what is watched, also on a busy machine. */
    private static final Duration WATCHED_SESSION = Duration.ofSeconds(Proof.size(60, 20));
    /** Below a quarter of that window, after which a renewal would notice as well. */
    private static final Duration AT_ONCE = Proof.size(HangGuard.TIME, Duration.ofMillis(3_900));

    private static final Duration LINE_DELAY = Duration.ofMillis(15);
    private static final Duration RENEWAL_SLACK = Duration.ofSeconds(1);
    private static final SnoScheme SNO = new SnoScheme(0, 16, 4);
    private static final SnoScheme ONE_SLOT = new SnoScheme(0, 1, 1);
    private static final MuidScheme MUID = new MuidScheme();

    @AutoClose
    private static final ZooKeepers ZOOKEEPER = ZooKeepers.alone();

    @AutoClose
    private final TcpProxy line = TcpProxy.to(ZOOKEEPER.address(0), LINE_DELAY);

    @AutoClose
    private final Admin admin = Admin.of(ZOOKEEPER.connectString());

    private final Map<Scheme<?>, DuplicateChecker> checkers = new HashMap<>();

    @AfterEach
    void requireNoDuplicates() {
        checkers.values().forEach(DuplicateChecker::requireNone);
    }

    private DuplicateChecker checker(Scheme<?> scheme) {
        return checkers.computeIfAbsent(scheme, each -> new DuplicateChecker());
    }

    /** The tenure that a replica has of a scheme, and a caller that never stops. */
    private final class Watched implements AutoCloseable {
        private final IdAllocator allocator;
        private final Scheme<?> scheme;
        private final Caller caller;
        private final HeldSlot before;

        Watched(IdAllocator allocator, Scheme<?> scheme) {
            this.allocator = allocator;
            this.scheme = scheme;
            this.caller = calling(allocator, scheme, checker(scheme));
            this.before = held(allocator, scheme);
        }

        /**
         * On a busy machine, the watches on what was claimed may be set only after the first ID, and before the first
         * renewal.
         */
        void awaitRenewal() {
            await().until(() -> held(allocator, scheme).ceilingTick() > before.ceilingTick());
        }

        /**
         * The caller got IDs, then refusals, then IDs of another tenure, and nothing in between; the first tenure's
         * fence tripped for one of these reasons, and the last call that got an ID of it began within the bound.
         * (Callers may be told of a ZooKeeper that does not answer meanwhile, as soon as that is known.)
         */
        void requireOneGap(long fromNanos, Duration bound, FenceReason... reasons) {
            await().until(() ->
                    caller.issued().size() > 1 && allocator.status(scheme).active());
            HeldSlot now = held(allocator, scheme);
            assertEquals(2, caller.issued().size(), caller::toString);
            assertFalse(caller.refusals().isEmpty(), caller::toString);
            Map<FenceReason, Long> fences = allocator.leaseCounts().stream()
                    .filter(counts -> counts.scheme().equals(scheme.name()))
                    .flatMap(counts -> counts.fences().entrySet().stream())
                    .filter(tripped -> tripped.getValue() > 0)
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            assertEquals(List.of(1L), List.copyOf(fences.values()), caller::toString);
            assertTrue(Set.of(reasons).containsAll(fences.keySet()), fences::toString);
            assertNotEquals(before.nonce(), now.nonce());
            requireFrom(now, scheme, caller.issued().get(1));
            Duration last = Duration.ofNanos(caller.issued().get(0).untilNanos() - fromNanos);
            System.out.println("last ID asked for " + last + " after the fault, bound " + bound);
            assertTrue(last.compareTo(bound) < 0, () -> last + ": " + caller);
        }

        @Override
        public void close() {
            caller.close();
        }
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

    private TestReplicas replicas(Duration session) {
        return TestReplicas.of(line.address(), session);
    }

    @Test
    void shouldStopWithinAWindowWhenNothingPassesTheLine() {
        TestReplicas direct = TestReplicas.of(ZOOKEEPER.address(0), SESSION);
        try (IdAllocator cutOff = direct.through(line.address()).connect(ONE_SLOT);
                Watched watched = new Watched(cutOff, ONE_SLOT);
                IdAllocator other = direct.connect(ONE_SLOT);
                Caller otherCaller = Caller.of(other.generator(ONE_SLOT), checker(ONE_SLOT))) {
            await().until(() -> otherCaller.refused(FenceReason.NO_FREE_SLOT));
            line.blackhole();
            long from = System.nanoTime();
            await().until(otherCaller::issuing);
            HeldSlot others = other.held().get(0);
            assertTrue(others.floorTick() > watched.before.floorTick(), "the next holder begins above: " + others);
            line.heal();
            await().until(() -> watched.caller.refused(FenceReason.NO_FREE_SLOT));
            TestReplicas.closeAll(List.of(other));
            watched.requireOneGap(from, SESSION, FenceReason.DEADLINE_PASSED);
        }
    }

    @Test
    @ProofOnly("waits for renewals")
    void shouldServeOnFromTheSameSlotsWhenTheSessionExpired() throws Exception {
        try (IdAllocator allocator = replicas(SESSION).connect(SNO, MUID);
                Watched sno = new Watched(allocator, SNO);
                Watched muid = new Watched(allocator, MUID)) {
            long slot = SNO.pool().orElseThrow().slotOf(sno.before.slot());
            String session =
                    allocator.cluster().holder(SNO, slot).lease().orElseThrow().session();
            Sessions.expire(ZOOKEEPER.connectString(), session);
            await().ignoreExceptionsMatching(
                            e -> e.getCause() instanceof NoNodeException) // for a moment there is no lease
                    .until(() -> !admin.read(sno.before.path()).contains(session));
            sno.awaitRenewal();
            for (Watched each : List.of(sno, muid)) {
                assertEquals(each.before.nonce(), held(allocator, each.scheme).nonce());
                assertEquals(List.of(), each.caller.refusals());
            }
        }
    }

    @Test
    void shouldStopAtOnceWhenTheLeaseIsDeletedAndLeaveOtherSchemesAlone() {
        try (IdAllocator allocator = replicas(WATCHED_SESSION).connect(SNO, MUID);
                Watched sno = new Watched(allocator, SNO);
                Watched muid = new Watched(allocator, MUID)) {
            admin.delete(sno.before.path());
            sno.requireOneGap(System.nanoTime(), AT_ONCE, FenceReason.LEASE_GONE);
            assertEquals(List.of(), muid.caller.refusals());
        }
    }

    @Test
    @ProofOnly("waits for sessions to end")
    void shouldStopAtOnceWhenTheLeaseBelongsToAnother() {
        try (IdAllocator allocator = replicas(WATCHED_SESSION).connect(ONE_SLOT);
                Watched watched = new Watched(allocator, ONE_SLOT)) {
            String lease = watched.before.path();
            admin.replace(lease, admin.read(lease).replace(watched.before.nonce(), "another"));
            long from = System.nanoTime();
            await().until(() -> watched.caller.refused(FenceReason.NO_FREE_SLOT));
            admin.delete(lease);
            watched.requireOneGap(from, AT_ONCE, FenceReason.LEASE_REPLACED);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end")
    void shouldStopWithinAQuarterWindowWhenTheRecordIsOverwritten() {
        try (IdAllocator allocator = replicas(SESSION).connect(SNO);
                Watched watched = new Watched(allocator, SNO)) {
            String record = watched.before.path().replace("/leases/", "/records/");
            admin.write(record, admin.read(record).replace(watched.before.nonce(), "another"));
            watched.requireOneGap(
                    System.nanoTime(), SESSION.dividedBy(4).plus(RENEWAL_SLACK), FenceReason.RECORD_TAKEN);
        }
    }

    @Test
    @ProofOnly("waits for sessions to end")
    void shouldStopAtOnceWithoutMetaAndResumeOnlyAfterFenceRestore() {
        TestReplicas replicas = replicas(WATCHED_SESSION);
        try (IdAllocator allocator = replicas.connect(SNO, MUID);
                Watched sno = new Watched(allocator, SNO);
                Watched muid = new Watched(allocator, MUID)) {
            sno.awaitRenewal();
            muid.awaitRenewal();
            admin.delete(replicas.tree().meta());
            long from = System.nanoTime();
            await().until(() ->
                    sno.caller.refused(FenceReason.META_GONE) && muid.caller.refused(FenceReason.META_GONE));
            await().during(SESSION).until(() -> !sno.caller.issuing() && !muid.caller.issuing());

            FenceRestore.Report report = FenceRestore.run(replicas.settings(SNO, MUID), replicas.promised());
            assertEquals("none", report.from());
            sno.requireOneGap(from, AT_ONCE, FenceReason.META_GONE);
            muid.requireOneGap(from, AT_ONCE, FenceReason.META_GONE);
            assertTrue(!idOf(SNO, sno.caller.issued().get(1))
                    .time()
                    .isBefore(report.floor().minusMillis(4)));
        }
    }

    /** The replica may look while the old meta is gone and the new one is not there yet. */
    @Test
    @ProofOnly("waits for sessions to end")
    void shouldServeByAnotherTenureWhenMetaChanges() {
        TestReplicas replicas = replicas(WATCHED_SESSION);
        try (IdAllocator allocator = replicas.connect(MUID);
                Watched watched = new Watched(allocator, MUID)) {
            watched.awaitRenewal();
            FenceRestore.run(replicas.through(ZOOKEEPER.connectString()).settings(MUID), replicas.promised());
            watched.requireOneGap(System.nanoTime(), AT_ONCE, FenceReason.META_CHANGED, FenceReason.META_GONE);
        }
    }
}
