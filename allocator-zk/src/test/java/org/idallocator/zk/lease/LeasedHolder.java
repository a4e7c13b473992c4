package org.idallocator.zk.lease;

import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.simulation.Calls;
import org.idallocator.zk.simulation.DrawMutation;
import org.idallocator.zk.simulation.Holder;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.testing.Parts;
import org.idallocator.zk.testing.SmallPool;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/** The real thing: a {@link LeaseLoop} and its keepers. */
public final class LeasedHolder implements Holder {
    private final Tree tree;
    private final List<SchemeSlots> schemes;
    private final ServingState state = new ServingState();
    private final LeaseLoop loop;
    private final Clock clock;
    private final List<Calls> calls;

    /** {@code mutation} stands between callers and the generators. */
    public LeasedHolder(Znodes nodes, Clock clock, AllocatorSettings settings, Random random, DrawMutation mutation) {
        tree = nodes.tree();
        this.clock = clock;
        schemes = settings.schemes().stream()
                .map(scheme -> new SchemeSlots(scheme, settings, clock))
                .toList();
        loop = new LeaseLoop(nodes, clock, settings, new ReplicaSlots(schemes), state, random);
        calls = schemes.stream()
                .map(group -> new Calls(
                        (SmallPool<?>) group.scheme(),
                        state.until(group),
                        () -> serving(group),
                        mutation,
                        settings.maxWait(),
                        clock))
                .toList();
    }

    /**
     * Has a process that was just made go on where another one is: as a copy of it, with all that a tenure knows. The
     * copy's thread begins a step. It waits for no answer to what the other one has sent.
     *
     * @return the nonces of the tenures that both have
     */
    public Set<String> goOnFrom(LeasedHolder original) {
        Set<String> nonces = new HashSet<>();
        IssuedTicks issued = (IssuedTicks) Parts.of(Parts.of(loop, "releaser"), "issued");
        for (int i = 0; i < schemes.size(); i++) {
            List<SlotKeeper> theirs = original.schemes.get(i).keepers();
            for (int j = 0; j < theirs.size(); j++) {
                SlotKeeper keeper = schemes.get(i).keepers().get(j);
                theirs.get(j).tripIfOverdue();
                theirs.get(j).openTenure().map(this::copied).ifPresent(tenure -> {
                    nonces.add(tenure.nonce());
                    issued.add(tenure);
                    keeper.serve(tenure);
                });
            }
        }
        Parts.copy("last", Parts.of(original.loop, "metaWatch"), Parts.of(loop, "metaWatch"));
        return nonces;
    }

    private Tenure copied(Tenure tenure) {
        Slot slot = tenure.slot();
        Fence its = tenure.fence();
        Fence fence = new Fence(clock, its.floorTick(), its.ceilingTick(), its.deadlineNanos());
        Generator generator = slot.scheme().open(slot.number(), fence);
        Object sequence = Parts.of(generator, "sequence");
        Object theirs = Parts.of(tenure.generator(), "sequence");
        ((AtomicLong) Parts.of(sequence, "state")).set(((AtomicLong) Parts.of(theirs, "state")).get());
        List.of("wallSafe", "stepsBack", "lastWord").forEach(part -> Parts.copy(part, theirs, sequence));
        Tenure copy =
                new Tenure(tenure.grant(), tenure.lease(), (Contact) Parts.of(tenure, "contact"), fence, generator);
        Parts.copy("version", tenure.record(), copy.record());
        Parts.addAll("mayHaveLeft", tenure.record(), copy.record());
        return copy;
    }

    @Override
    public long step() {
        return loop.step();
    }

    @Override
    public List<Serving> serving() {
        return schemes.stream().flatMap(group -> serving(group).stream()).toList();
    }

    private List<Serving> serving(SchemeSlots group) {
        return group.tenures().stream().map(this::serving).toList();
    }

    private Serving serving(Tenure tenure) {
        return new Serving(
                (SmallPool<?>) tenure.slot().scheme(),
                tenure.slot().number(),
                tenure.nonce(),
                tree.lease(tenure.slot()),
                tenure.fence(),
                tenure.generator());
    }

    @Override
    public List<Calls> calls() {
        return calls;
    }

    @Override
    public void sessionLost() {
        // no fence trips: what is reserved stays so, and is taken up again
    }

    @Override
    public void changed() {
        loop.verifySoon();
    }

    @Override
    public boolean close() {
        try {
            loop.close();
        } catch (StoreException e) {
            // tried again
        }
        return loop.isClosed();
    }

    /** An operator drains the replica; {@code givenBack} hears when all slots are given back. */
    public void drain(Runnable givenBack) {
        var unused = Bench.drain(state).end().thenAccept(how -> {
            if (how == ServingState.DrainEnd.GIVEN_BACK) {
                givenBack.run();
            }
        });
    }

    /** An operator ends a drain. */
    public void resume() {
        state.resume();
    }

    /** An operator wants other slots of every scheme; {@code rotated} hears of each that was changed. */
    public void rotate(Runnable rotated) {
        for (SchemeSlots group : schemes) {
            Rotation rotation = new Rotation(group);
            var unused = rotation.done().thenAccept(done -> done.forEach(one -> rotated.run()));
            loop.rotate(rotation);
        }
    }

    /** Whether, of every scheme, a tenure serves whose record is older in this backup than what it wrote. */
    public boolean notices(NavigableMap<String, Znode> backup) {
        return schemes.stream()
                .allMatch(group -> group.pool().longestTenure().isEmpty()
                        && group.tenures().stream().anyMatch(t -> isOlder(backup, t)));
    }

    private boolean isOlder(NavigableMap<String, Znode> backup, Tenure tenure) {
        Znode record = backup.get(tree.record(tenure.slot()));
        return record == null || record.version() < tenure.record().version().orElse(-1);
    }

    /** Why schemes are not served. */
    public List<FencedException> refusals() {
        return schemes.stream()
                .flatMap(group -> group.tripOverdueAndTell(tree).fenced().stream())
                .toList();
    }

    /** The state of each scheme. */
    @Override
    public String toString() {
        return schemes.stream()
                .map(group -> "\n  " + group.tripOverdueAndTell(tree))
                .collect(Collectors.joining());
    }
}
