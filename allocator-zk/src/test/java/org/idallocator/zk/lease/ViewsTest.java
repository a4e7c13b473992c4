package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Software;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.MemberNode;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Slot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators are shown of slots and replicas. */
final class ViewsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(4);

    private ClusterView view(Scheme<?>... schemes) {
        return ClusterView.on(bench.access(schemes));
    }

    private LeaseView only(ClusterView view) {
        List<LeaseView> leases = view.leases();
        assertEquals(1, leases.size(), leases.toString());
        return leases.get(0);
    }

    private MemberView member(String name) {
        return view(sno).members().stream()
                .filter(member -> member.instance().equals(name))
                .findFirst()
                .orElseThrow();
    }

    // --- slots

    @Test
    void shouldTellOfAHeldSlotWhatItsHolderTells() {
        Instant claimed = bench.now();
        Replicated holder = bench.replica("a", sno).stepFor(Duration.ofSeconds(9));
        LeaseView view = only(view(sno));
        HeldSlot held = holder.tenure().held(Bench.TREE, holder.clock.micros());

        assertAll(
                () -> assertEquals(State.HELD, view.state()),
                () -> assertEquals(claimed, view.since()),
                () -> assertEquals(held.lease(), view.lease()),
                () -> assertEquals("a", held.lease().instance()),
                () -> assertEquals(held.state(), view.state().toString()),
                () -> assertEquals(held.since(), view.since()),
                () -> assertEquals(held.nonce(), held.lease().nonce()),
                () -> assertEquals(held.reservedThrough(), view.reservedThrough()),
                () -> assertEquals(held.timeLeftMillis(), view.timeLeftMillis()),
                () -> assertEquals(held.path(), view.path()),
                () -> assertEquals("/ids/sno/records/" + held.slot(), view.recordPath()),
                () -> assertNull(view.freeAt()));
        assertEquals(
                Duration.between(bench.now(), view.reservedThrough()).toMillis(),
                view.timeLeftMillis(),
                "what renewals have reserved, not the claim");
        assertTrue(Objects.requireNonNull(view.timeLeftMillis()) > 7_000, view.toString());
        assertFalse(bench.data(view.path()).contains("reservedThrough"), "which the record alone says");
    }

    @Test
    void shouldTellTheTimeLeftByZooKeepersClock() {
        Replicated holder = bench.replica("a", sno).stepFor(Duration.ofSeconds(9));
        long left = Objects.requireNonNull(only(view(sno)).timeLeftMillis());
        OperatorAccess access = bench.access(sno);
        ClusterView ahead = ClusterView.on(access, () -> Optional.of(SECOND));

        assertEquals(left + 1_000, only(ahead).timeLeftMillis(), "this clock is a second ahead");
        bench.leaderOff(Duration.ofMillis(1_500));
        holder.letPass(SECOND); // and renew
        LeaseView unmeasured = only(view(sno));
        long own = Duration.between(bench.now(), unmeasured.reservedThrough()).toMillis();
        assertTrue(
                Objects.requireNonNull(unmeasured.timeLeftMillis()) <= own - 1_000,
                "it is no earlier than what was written last: " + unmeasured + " " + own);
    }

    @Test
    void shouldTellWhenASlotThatCoolsIsFree() {
        Replicated holder = bench.replica("a", sno).step();
        bench.zookeeper.expire(holder.client.believedSession());
        LeaseView cooling = only(view(sno));

        assertEquals(State.COOLING, cooling.state());
        assertNull(cooling.lease());
        assertNull(cooling.since());
        assertEquals(cooling.reservedThrough(), cooling.freeAt());
        assertEquals(Duration.between(bench.now(), cooling.freeAt()).toMillis(), cooling.timeLeftMillis());
        bench.advance(Duration.between(bench.now(), cooling.freeAt()));
        LeaseView free = only(view(sno));
        assertEquals(State.FREE, free.state());
        assertEquals(cooling.reservedThrough(), free.reservedThrough());
        assertNull(free.freeAt());
        assertNull(free.timeLeftMillis());
    }

    /** Nobody serves before the floor, whatever the slot's own record says. */
    @Test
    void shouldTellThatAllSlotsCoolUntilTheFloor() {
        bench.withoutPromise();
        Replicated first = bench.replica("a", sno).step();
        LeaseView unused = view(sno).lease(sno, 3);

        assertFalse(first.serves());
        assertEquals(State.COOLING, unused.state());
        assertEquals(Bench.AHEAD, Duration.between(bench.now(), unused.freeAt()));
        assertNull(unused.reservedThrough(), "nobody has reserved anything of it");
        bench.advance(Bench.AHEAD);
        assertEquals(State.FREE, view(sno).lease(sno, 3).state());
    }

    @Test
    void shouldCountAllSlotsOfAPool() {
        bench.replica("a", sno).step();
        view(sno).retire(sno, free(0));
        bench.zookeeper.create("/ids/sno/records/" + free(0), "no JSON", 0);
        bench.zookeeper.create("/ids/sno/records/x", "no slot", 0);
        bench.zookeeper.create("/ids/sno/leases/stray-of-0", "no slot", 0);
        bench.zookeeper.create("/ids/stray", "no node of ours", 0);
        PoolView pool = view(sno).pool(sno).orElseThrow();

        assertEquals(new PoolView.Counts("sno", 4, 1, 1, 0, 1, 1), pool.counts());
        assertEquals(3, pool.slots().size(), "without what is no slot, and without the slot that was never used");
    }

    /** The number of the slot that is, so many on, without a node. */
    private long free(int skip) {
        List<String> used = view(sno).leases().stream().map(LeaseView::slot).toList();
        return List.of(0L, 1L, 2L, 3L).stream()
                .filter(slot -> !used.contains(Long.toString(slot)))
                .skip(skip)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldCountAPoolThatNobodyCanList() {
        Scheme<?> muid = new MuidScheme();
        bench.replica("a", muid).step();

        assertEquals(
                new PoolView.Counts("muid", 1L << 48, 1, (1L << 48) - 1, 0, 0, 0),
                view(muid).pool(muid).orElseThrow().counts());
    }

    /** Whoever used such a slot may be cut off, and serve on. */
    @Test
    void shouldTellThatASlotWithoutRecordCoolsWhereRecordsWereDeleted() {
        bench.replica("a", sno).step().loop.close();
        assertEquals(
                new PoolView.Counts("sno", 4, 0, 4, 0, 0, 0),
                view(sno).pool(sno).orElseThrow().counts());
        String used = only(view(sno)).slot();
        bench.zookeeper.delete("/ids/sno/records/" + used);

        assertEquals(
                new PoolView.Counts("sno", 4, 0, 4, 0, 0, 0),
                view(sno).pool(sno).orElseThrow().counts(),
                "for ever, if these counted as cooling");
        assertEquals(State.COOLING, view(sno).lease(sno, Long.parseLong(used)).state());
    }

    /** A replica goes by it, too. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "it has no floor           | \"floor\":[0-9]+,  | ''",
                "more than was reserved    | \"wallHi\":[0-9]+  | \"wallHi\":274877906943",
                "it is of another slot     | \"partition\":\\[.*?\\] | \"partition\":[9,9]"
            })
    void shouldTellThatASlotCoolsWhoseSnapshotIsOfNoUse(String what, String good, String bad) {
        Scheme<?> one = Bench.sno(1);
        Replicated holder = bench.replica("a", one).step();
        assertEquals(1, holder.draw(1));
        holder.loop.close();
        assertEquals(State.FREE, only(view(one)).state(), "the next goes on in the tick that was used last");
        String written = bench.data("/ids/sno/records/0");
        String edited = written.replaceFirst(good, bad);
        assertNotEquals(written, edited);
        bench.zookeeper.set("/ids/sno/records/0", edited);
        LeaseView cooling = only(view(one));
        Replicated next = bench.replica("b", one).step();

        assertEquals(State.COOLING, cooling.state());
        Slot slot = next.tenure().slot();
        assertEquals(slot.unit().instantAt(next.tenure().fence().floorTick()), cooling.freeAt());
    }

    @ParameterizedTest
    @CsvSource({"/ids/sno/records/0, slot record", "/ids/sno/leases/0, lease node"})
    void shouldShowASlotThatCannotBeReadWithItsFault(String path, String what) {
        bench.replica("a", Bench.sno(1)).step();
        bench.zookeeper.set(path, "no JSON");
        LeaseView view = only(view(Bench.sno(1)));

        assertEquals(State.UNREADABLE, view.state());
        assertEquals(path + " does not hold a " + what, view.unreadable());
    }

    /** An ACL of somebody's is on one node: the others are shown all the same. */
    @ParameterizedTest
    @ValueSource(strings = {"/ids/sno/records/0", "/ids/sno/leases/0"})
    void shouldShowSlotsBesideOneThatMayNotBeRead(String path) {
        bench.replica("a", Bench.sno(2)).step();
        bench.replica("b", Bench.sno(2)).step();
        bench.zookeeper.hide(path::equals);
        ClusterView view = view(Bench.sno(2));
        PoolView pool = view.pool(Bench.sno(2)).orElseThrow();

        assertEquals(new PoolView.Counts("sno", 2, 1, 0, 0, 0, 1), pool.counts());
        assertEquals(
                List.of(State.UNREADABLE, State.HELD),
                pool.slots().stream().map(LeaseView::state).toList());
        String why = path + " may not be read by this client";
        assertEquals(why, pool.slots().get(0).unreadable());
        assertEquals(why, view.lease(Bench.sno(2), 0).unreadable());
        assertEquals(State.HELD, view.lease(Bench.sno(2), 1).state());
        assertEquals(
                List.of("a", "b"),
                view.members().stream().map(MemberView::instance).toList());
    }

    /** Without them nobody knows what is reserved: slots that cool would look free. */
    @ParameterizedTest
    @ValueSource(strings = {"/ids/meta", "/ids/sno/layout", "/ids/sno/records"})
    void shouldShowNoSlotWhereWhatAllHaveInCommonMayNotBeRead(String path) {
        bench.replica("a", Bench.sno(2)).step();
        bench.zookeeper.hide(path::equals);

        UnreachableException e = assertThrows(
                UnreachableException.class, () -> view(Bench.sno(2)).pool(Bench.sno(2)));
        assertTrue(String.valueOf(e.getMessage()).contains(path + " may not be read by this client"), e.getMessage());
    }

    /** However many slots there are, they are asked for together. */
    @Test
    void shouldAskFewQuestionsOfAPool() {
        for (int i = 0; i < 4; i++) {
            bench.replica("r" + i, sno).step();
        }
        List<String> questions = new ArrayList<>();
        Store counting = new ForwardingStore(bench.zookeeper.connect()) {
            @Override
            public Optional<Node> read(String path) {
                questions.add(path);
                return super.read(path);
            }

            @Override
            public List<String> children(String path) {
                questions.add(path);
                return super.children(path);
            }

            @Override
            public List<Answer> readAll(List<String> paths) {
                questions.add(paths.size() + " nodes");
                return paths.stream()
                        .map(path -> Answer.of(path, () -> super.read(path)))
                        .toList();
            }
        };
        AllocatorSettings settings = Bench.settings("operator", List.of(sno));
        assertEquals(
                4,
                ClusterView.on(new OperatorAccess(counting, bench.clock(), settings))
                        .members()
                        .size());
        assertEquals(List.of("/ids/sno/leases", "/ids/sno/records", "11 nodes", "/ids/members", "4 nodes"), questions);
    }

    // --- replicas

    @Test
    void shouldTellOfEachReplicaWhatItHoldsAndHowItsClockIs() {
        Instant joined = bench.now();
        Replicated a = bench.replica("a", sno).step();
        Replicated b = bench.replica("b", sno);
        b.clock.off(700_000);
        b.step();
        assertNull(member("a").clockOffsetMillis(), "nothing is known before the first answer");
        a.stepFor(Duration.ofSeconds(8));
        b.stepFor(Duration.ofSeconds(8));

        MemberView told = member("b");
        assertAll(
                () -> assertEquals("host", told.host()),
                () -> assertEquals(joined.plusMillis(700), told.since()),
                () -> assertEquals(Software.VERSION, told.version()),
                () -> assertNear(699, told.clockOffsetMillis()),
                () -> assertNear(0, member("a").clockOffsetMillis()),
                () -> assertEquals(
                        List.of(new MemberView.HeldName("sno", b.tenure().slot().name())), told.slots()),
                () -> assertNotEquals(told.slots(), member("a").slots()));
    }

    private static void assertNear(long expected, @Nullable Long actual) {
        assertTrue(actual != null && Math.abs(expected - actual) <= 2, expected + " and " + actual);
    }

    @Test
    void shouldTellAnewOnceAMinuteAndNoMoreOften() {
        Replicated replica = bench.replica("a", sno).stepFor(MINUTE);
        Instant since = member("a").since();
        replica.clock.off(300_000);
        replica.letPass(MINUTE);
        assertNear(300, member("a").clockOffsetMillis());
        assertEquals(since, member("a").since());

        int[] writes = {0, 0};
        bench.zookeeper.onWrite((path, data, created) -> {
            writes[path.startsWith("/ids/members") ? 0 : 1]++;
        });
        replica.letPass(MINUTE.multipliedBy(10));
        assertEquals(10, writes[0], "one a minute");
        assertTrue(writes[0] + writes[1] <= 0.5 * 600, "half a write a second, with renewals: " + writes[1]);
    }

    /** Who holds no slot renews none, and is told ZooKeeper's time by no other write. */
    @Test
    void shouldTellItsClockAsItIsWithoutASlot() {
        Scheme<?> one = Bench.sno(1);
        bench.replica("a", one).step();
        Replicated waiting = bench.replica("b", one).stepFor(MINUTE);
        bench.leaderOff(Duration.ofMillis(700));
        waiting.letPass(MINUTE.multipliedBy(2));

        assertEquals(FenceReason.NO_FREE_SLOT, waiting.reason());
        assertNear(-700, member("b").clockOffsetMillis());
    }

    /** What people are told of a replica is worth no slot. */
    @Test
    void shouldServeOnWhateverHappensToItsMemberNode() {
        Replicated replica = bench.replica("a", sno).stepFor(MINUTE);
        Tenure tenure = replica.tenure();
        String path = Bench.TREE.member("a");
        MemberNode before = Payloads.read(path, bench.data(path), MemberNode.class);
        bench.zookeeper.delete(path);
        replica.letPass(MINUTE);
        assertEquals(before.since(), member("a").since());

        bench.zookeeper.delete(path);
        bench.zookeeper.create(path, "of a namesake", 0x77);
        replica.letPass(MINUTE.multipliedBy(2));
        assertEquals("of a namesake", bench.data(path));

        bench.zookeeper.forbid(written -> written.startsWith(Bench.TREE.members()));
        replica.letPass(MINUTE.multipliedBy(2));
        assertEquals(tenure, replica.tenure());
        assertTrue(replica.serves());
    }

    /**
     * Nobody else makes the parent of all members: replicas that joined once would be unseen for as long as they live.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/ids/members", "/ids"})
    void shouldBeSeenAgainWithinAMinuteWhenTheParentOfMembersIsGone(String deleted) {
        Replicated a = bench.replica("a", sno).stepFor(MINUTE);
        Replicated b = bench.replica("b", sno).stepFor(MINUTE);
        Instant since = member("a").since();
        bench.zookeeper.delete(deleted);
        assertEquals(List.of(), view(sno).members());

        a.stepFor(MINUTE);
        b.stepFor(MINUTE);
        assertEquals(
                List.of("a", "b"),
                view(sno).members().stream().map(MemberView::instance).toList());
        assertEquals(since, member("a").since());
    }

    /** Callers hear what keeps them from an ID, and not what keeps people from being told of a clock. */
    @Test
    void shouldSayNothingToCallersWhenItCannotTellOfItself() {
        Scheme<?> one = Bench.sno(1);
        bench.replica("a", one).step();
        Replicated waiting = bench.replica("b", one).stepFor(Duration.ofSeconds(4));
        bench.zookeeper.forbid(written -> written.startsWith(Bench.TREE.members()));
        for (int i = 0; i < 40; i++) {
            bench.advance(Duration.ofMillis(50));
            waiting.step();
            assertEquals(FenceReason.NO_FREE_SLOT, waiting.reason());
        }
    }

    @Test
    void shouldShowReplicasBesideOneThatMayNotBeRead() {
        bench.replica("a", sno).step();
        bench.replica("b", sno).step();
        bench.zookeeper.hide(Bench.TREE.member("a")::equals);
        List<MemberView> members = view(sno).members();

        assertEquals(
                List.of("a", "b"), members.stream().map(MemberView::instance).toList());
        assertEquals(
                "/ids/members/a may not be read by this client", members.get(0).unreadable());
        assertNull(members.get(1).unreadable());
    }

    @Test
    void shouldShowReplicasBesideOneThatCannotBeRead() {
        bench.replica("a", sno).step();
        bench.zookeeper.create(Bench.TREE.member("b"), "no JSON", 0x77);
        List<MemberView> members = view(sno).members();

        assertEquals(
                List.of("a", "b"), members.stream().map(MemberView::instance).toList());
        assertEquals(
                "/ids/members/b does not hold a member node", members.get(1).unreadable());
    }
}
