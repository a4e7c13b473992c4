package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * A {@link SimulatedZooKeeper}, and replicas on it that a test steps by hand. Time passes only when the test says so.
 * Session timeout and window are ten seconds, and the allowed skew is two: the defaults.
 */
final class Bench {
    static final String ROOT = "/ids";
    static final Tree TREE = new Tree(ROOT);
    static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    /** More steps without a pause than anything takes. */
    private static final int AT_ONCE = 1_000;

    /** How far ahead of its beginning the floor of a generation is, with these settings. */
    static final Duration AHEAD = Duration.ofSeconds(10 + 2 * 2 + 2);

    final SimulatedZooKeeper zookeeper;
    private boolean promising = true;
    private long nowNanos;
    private long leaderOffMillis;

    Bench() {
        this(TEN_SECONDS);
    }

    /** {@code negotiated} is the session timeout that the server grants. */
    Bench(Duration negotiated) {
        zookeeper = new SimulatedZooKeeper(this::leaderMillis, negotiated);
    }

    /** Nobody promises that the root is new: whoever finds the root empty has to wait. */
    Bench withoutPromise() {
        promising = false;
        return this;
    }

    /** A sno scheme with this many slots: shards of one partition. */
    static Scheme<?> sno(int slots) {
        return new SnoScheme(7, 1, slots);
    }

    private long leaderMillis() {
        return now().toEpochMilli() + leaderOffMillis;
    }

    /** True time. */
    Instant now() {
        return Instant.EPOCH.plus(SimulatedClock.BEGINNING_MICROS + nowNanos / 1_000, ChronoUnit.MICROS);
    }

    /** A clock that is right. */
    Clock clock() {
        return new SimulatedClock(() -> nowNanos, 0, () -> {});
    }

    void advance(Duration time) {
        nowNanos += time.toNanos();
    }

    /** Puts the ZooKeeper leader's clock this far from the truth. */
    void leaderOff(Duration off) {
        leaderOffMillis = off.toMillis();
    }

    /** The defaults: a window and a session timeout of ten seconds, and a skew of two. */
    static AllocatorSettings settings(String instance, List<Scheme<?>> schemes) {
        return AllocatorSettings.of(
                        schemes, ZooKeeperSettings.of("simulated:2181").withRoot(ROOT))
                .withReplica(new Replica(instance, "host", 1, ""));
    }

    /** The same with another window, and the longest session timeout, which allows every window. */
    static AllocatorSettings settings(String instance, Scheme<?> scheme, Duration window) {
        AllocatorSettings usual = settings(instance, List.of(scheme));
        return usual.withZooKeeper(usual.zookeeper().withSessionTimeout(Terms.SESSION_TIMEOUT.most()))
                .withWindow(window);
    }

    /** What an operator's command works with: a connection of its own, and a clock that is right. */
    OperatorAccess access(Scheme<?>... schemes) {
        return new OperatorAccess(zookeeper.connect(), clock(), settings("operator", List.of(schemes)));
    }

    /**
     * One more replica. Before the first, somebody promises that the root is new, so that the replica serves at once.
     */
    Replicated replica(String name, Scheme<?>... schemes) {
        return replica(settings(name, List.of(schemes)));
    }

    Replicated replica(AllocatorSettings settings) {
        if (promising) {
            promising = false;
            OnStore.withoutWaiting(new OperatorAccess(zookeeper.connect(), Clock.system(), settings));
        }
        return new Replicated(settings);
    }

    /** The tree, as a client reads it. */
    static Znodes nodes(Store client) {
        return Znodes.below(ROOT, client, Clock.system());
    }

    /** What the node at a path holds, which must be there. */
    String data(String path) {
        return zookeeper.node(path).orElseThrow().data();
    }

    /** The version of the node at a path, which must be there. */
    int version(String path) {
        return zookeeper.node(path).orElseThrow().version();
    }

    SlotRecord record(SlotPool pool, long slot) {
        String path = TREE.records(pool) + "/" + pool.nameOf(slot);
        return Payloads.read(path, data(path), SlotRecord.class);
    }

    MetaNode meta() {
        return Payloads.read(TREE.meta(), data(TREE.meta()), MetaNode.class);
    }

    /** Puts another meta in the place of the one that is there. */
    void meta(MetaNode node) {
        zookeeper.ensure(ROOT);
        zookeeper.delete(TREE.meta());
        zookeeper.commitAll(0, Incarnations.creation(TREE, node, version(ROOT)).ops());
    }

    List<String> leases(SlotPool pool) {
        return zookeeper.children(TREE.leases(pool));
    }

    /** Drains a replica without a notice. */
    static ServingState.Drain drain(ServingState state) {
        ServingState.Drain announced = state.announce();
        state.carryOut(announced);
        return announced;
    }

    /** Whether a drain has ended because all slots are given back. */
    static boolean hasGivenBack(ServingState.Drain drain) {
        return drain.end().isDone() && drain.end().join() == ServingState.DrainEnd.GIVEN_BACK;
    }

    /** Why a tenure's fence has tripped; {@code STARTING} when it had not. */
    static FenceReason whyTripped(Tenure tenure) {
        return tenure.fence().trip(FenceReason.STARTING, "").reason();
    }

    /** A replica that does one step of its loop when the test says so. */
    final class Replicated {
        final SimulatedClient client = zookeeper.connect();
        final SimulatedClock clock;
        final LeaseLoop loop;
        final ServingState state = new ServingState();
        private final List<SchemeSlots> schemes;
        private Runnable clockRead = () -> {};
        private Runnable bitsDrawn = () -> {};
        private long dueNanos;

        private Replicated(AllocatorSettings settings) {
            clock = new SimulatedClock(() -> nowNanos, -(1L << 61), () -> clockRead.run());
            schemes = settings.schemes().stream()
                    .map(scheme -> new SchemeSlots(scheme, settings, clock))
                    .toList();
            loop = new LeaseLoop(
                    new Znodes(client, TREE, this::bits),
                    clock,
                    settings,
                    new ReplicaSlots(schemes),
                    state,
                    new Random(settings.replica().instance().hashCode()));
            client.onChange(loop::verifySoon);
        }

        private long bits() {
            long bits = ThreadLocalRandom.current().nextLong();
            bitsDrawn.run();
            return bits;
        }

        /** Has this happen whenever the bits of a write are drawn. */
        void whenBitsAreDrawn(Runnable what) {
            bitsDrawn = what;
        }

        /** Steps until the loop wants to wait, which it must. */
        Replicated step() {
            for (int i = 0; i < AT_ONCE; i++) {
                if (loop.step() > 0) {
                    return this;
                }
            }
            throw new AssertionError("still wants to step after " + AT_ONCE + " steps");
        }

        /** Does one task after the other until this holds, which it must. */
        void stepUntil(BooleanSupplier holds) {
            for (int i = 0; !holds.getAsBoolean(); i++) {
                assertTrue(i < AT_ONCE, "it never holds");
                var unused = loop.step();
            }
        }

        /** Steps now, as if woken, and then whenever the loop asks for it, while time passes. */
        Replicated stepFor(Duration time) {
            dueNanos = nowNanos;
            return letPass(time);
        }

        /** Steps whenever the loop asks for it, while time passes. */
        Replicated letPass(Duration time) {
            long end = nowNanos + time.toNanos();
            int atOnce = 0;
            while (dueNanos <= end) {
                atOnce = dueNanos > nowNanos ? 0 : atOnce + 1;
                assertTrue(atOnce < AT_ONCE, "still wants to step");
                nowNanos = Math.max(nowNanos, dueNanos);
                dueNanos = nowNanos + loop.step();
            }
            nowNanos = Math.max(nowNanos, end);
            return this;
        }

        /** Has others do something while the next call of this name is under way, before its effect. */
        void amid(String name, Fault fault, Runnable others) {
            client.faults(call -> {
                if (!call.contains(name)) {
                    return Fault.NONE;
                }
                client.answer();
                client.between(() -> {
                    client.between(() -> {});
                    others.run();
                });
                return fault;
            });
        }

        /**
         * Has the client give its session up for a new one while the next call of this name is under way. The old one
         * lives on.
         */
        void changeSessionAmid(String name) {
            amid(name, Fault.NONE, () -> {
                client.next("read", Fault.ABANDONED);
                assertThrows(StoreException.class, () -> client.read(ROOT));
            });
        }

        /** Has this happen once this replica has read its clocks so often from now on; -1 for never. */
        void afterReadings(int readings, Runnable what) {
            int[] left = {readings};
            clockRead = () -> {
                if (left[0]-- == 0) {
                    what.run();
                }
            };
        }

        /** Has the wall clock jump a year once this replica has read its clocks so often from now on. */
        void jumpAfter(int readings) {
            afterReadings(readings, () -> clock.off(Duration.ofDays(365).toNanos() / 1_000));
        }

        SchemeSlots slots(int index) {
            return schemes.get(index);
        }

        SchemeSlots slots() {
            return slots(0);
        }

        /** What callers are told of a scheme's slots. */
        SchemeStatus status(int index) {
            return slots(index).tripOverdueAndTell(TREE);
        }

        SchemeStatus status() {
            return status(0);
        }

        Tenure tenure() {
            return tenure(0);
        }

        Tenure tenure(int index) {
            return schemes.get(index).tenures().get(0);
        }

        boolean serves(int index) {
            return schemes.get(index).tenures().stream().anyMatch(t -> t.fence().tripIfOverdue() == null);
        }

        boolean serves() {
            return serves(0);
        }

        /** How many IDs one draw gives, which must not throw: {@code count}, or fewer where it would have to wait. */
        int draw(int count) {
            int[] given = {0};
            var unused = Draw.many(schemes.get(0).current(), count, Variant.NONE, (high, low) -> given[0]++);
            return given[0];
        }

        /** What an operator's command works with that runs on this replica's client and by its clock. */
        OperatorAccess access(Scheme<?>... schemes) {
            return access(settings("operator", List.of(schemes)));
        }

        OperatorAccess access(AllocatorSettings settings) {
            return new OperatorAccess(client, clock, settings);
        }

        /** Why a draw fails. */
        FencedException refusal() {
            return refusal(0);
        }

        FencedException refusal(int index) {
            return assertThrows(
                    FencedException.class,
                    () -> Draw.many(schemes.get(index).current(), 1, Variant.NONE, (high, low) -> {}));
        }

        String why() {
            return why(0);
        }

        String why(int index) {
            return String.valueOf(refusal(index).getMessage());
        }

        FenceReason reason() {
            return refusal().reason();
        }
    }
}
