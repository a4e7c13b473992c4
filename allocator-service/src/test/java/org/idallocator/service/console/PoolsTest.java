package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.settings.Replica;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PoolsTest {
    private static final Replica SELF = new Replica("a", "host-1", 17, "");
    private static final Instant SINCE = Instant.parse("2026-11-23T06:00:00Z");

    private static SlotPool pool(String scheme) {
        Scheme<?> named = Schemes.named(scheme, Schemes.all());
        return named.pool().orElseThrow();
    }

    private static PoolView view(SlotPool pool, List<LeaseView> slots) {
        return new PoolView(new PoolView.Counts("x", pool.size(), 0, pool.size(), 0, 0, 0, 0), slots);
    }

    private static LeaseView slot(String name, State state, @Nullable LeaseNode lease) {
        return new LeaseView("x", name, state, lease == null ? null : SINCE, null, null, null, lease, "", "", null);
    }

    private static LeaseNode lease(String slot, long pid) {
        return new LeaseNode(1, slot, "nonce-" + slot, "a", "host-1", pid, "", "0x1", SINCE);
    }

    @Test
    void shouldDrawEverySlotOfASmallPool() {
        SlotPool pool = pool("eightbyte");
        PoolView view = view(
                pool,
                List.of(
                        slot("02", State.HELD, lease("02", 17)),
                        slot("03", State.HELD, lease("03", 18)),
                        slot("99", State.UNREADABLE, null)));
        ConsoleState.Pool drawn = new Pools(SELF, false).pool(pool, view);

        assertTrue(drawn.whole());
        assertEquals(65, drawn.slots().size(), "64, and one that is none");
        assertEquals("00", drawn.slots().get(0).slot());
        assertEquals("free", drawn.slots().get(0).state());
        assertTrue(drawn.slots().get(2).here());
        assertFalse(drawn.slots().get(3).here(), "another process of the same name");
        assertEquals("99", drawn.slots().get(64).slot());
    }

    @Test
    void shouldDrawThePoolAsZooKeeperHasIt() {
        PoolView view = new PoolView(new PoolView.Counts("x", 128, 0, 128, 0, 0, 0, 0), List.of());
        ConsoleState.Pool drawn = new Pools(SELF, false).pool(pool("eightbyte"), view);

        assertEquals(128, drawn.slots().size());
        assertEquals("127", drawn.slots().get(127).slot());
    }

    @Test
    void shouldListWhatIsNotFreeOfALargePoolAsFarAsThereIsRoom() {
        SlotPool pool = pool("muid");
        List<LeaseView> cooling = LongStream.range(0, 1_030)
                .mapToObj(number -> slot(pool.nameOf(number), State.COOLING, null))
                .toList();
        List<LeaseView> all = Stream.concat(Stream.of(slot(pool.nameOf(2_000), State.FREE, null)), cooling.stream())
                .toList();
        ConsoleState.Pool drawn = new Pools(SELF, false).pool(pool, view(pool, all));

        assertFalse(drawn.whole());
        assertEquals(1_024, drawn.slots().size());
        assertEquals(pool.nameOf(0), drawn.slots().get(0).slot());
        assertEquals(6, drawn.left());
    }

    @Test
    void shouldListWhatIsHeldFirst() {
        SlotPool pool = pool("muid");
        Stream<LeaseView> cooling =
                LongStream.range(0, 1_030).mapToObj(number -> slot(pool.nameOf(number), State.COOLING, null));
        Stream<LeaseView> retired = Stream.of(slot(pool.nameOf(1_500), State.RETIRED, null));
        Stream<LeaseView> held = LongStream.range(2_000, 2_002)
                .mapToObj(pool::nameOf)
                .map(name -> slot(name, State.HELD, lease(name, name.equals(pool.nameOf(2_001)) ? 17 : 18)));
        List<LeaseView> all =
                Stream.of(retired, cooling, held).flatMap(slots -> slots).toList();
        List<ConsoleState.SlotEntry> drawn =
                new Pools(SELF, false).pool(pool, view(pool, all)).slots();

        assertEquals(
                List.of(pool.nameOf(2_001), pool.nameOf(2_000), pool.nameOf(0)),
                drawn.subList(0, 3).stream().map(ConsoleState.SlotEntry::slot).toList());
        assertTrue(drawn.get(0).here());
        assertEquals(1_024, drawn.size());
    }

    @Test
    void shouldTellProcessesAndTheWordsOfFailuresToOperatorsAlone() {
        SlotPool pool = pool("eightbyte");
        LeaseView broken = new LeaseView("x", "02", State.UNREADABLE, null, null, null, null, null, "", "", "a secret");
        PoolView view = view(pool, List.of(broken));
        MemberView member = new MemberView("a", null, null, null, null, null, null, null, List.of(), "a secret");

        assertEquals(
                "a secret",
                new Pools(SELF, true).pool(pool, view).slots().get(2).unreadable());
        assertEquals(
                "the admin port says why",
                new Pools(SELF, false).pool(pool, view).slots().get(2).unreadable());
        assertEquals("a secret", new Pools(SELF, true).replica(member).unreadable());
        assertEquals(
                "the admin port says why",
                new Pools(SELF, false).replica(member).unreadable());
    }

    @Test
    void shouldNameTenuresToOperatorsAlone() {
        SlotPool pool = pool("eightbyte");
        PoolView view = view(pool, List.of(slot("02", State.HELD, lease("02", 17))));

        assertNull(new Pools(SELF, false).pool(pool, view).slots().get(2).nonce());
        assertEquals(
                "nonce-02",
                new Pools(SELF, true).pool(pool, view).slots().get(2).nonce());
    }
}
