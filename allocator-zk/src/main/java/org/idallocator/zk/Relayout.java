package org.idallocator.zk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;

/**
 * Changes how a pool is cut into slots, or the terms by which its replicas reserve, to what a configuration says. It begins a new
 * generation of the pool: its floor is above all that replicas of the old one have reserved, and no write of theirs passes any
 * more, so that they fence what they hold. Replicas with the new configuration serve when the floor is past.
 */
public final class Relayout {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Store store;
    private final Tree tree;
    private final AllocatorSettings settings;
    private final SlotPool pool;
    private final String path;
    private final ClockJudge judge;

    private Relayout(Store store, Clock clock, AllocatorSettings settings, SlotPool pool) {
        this.store = store;
        this.tree = new Tree(settings.zookeeper().root());
        this.settings = settings;
        this.pool = pool;
        this.path = tree.layout(pool);
        this.judge = new ClockJudge(clock, settings.maxClockSkew());
    }

    /**
     * What was done.
     *
     * @param from the old layout, for people
     * @param to the new one
     * @param floor no ID of this pool with an earlier time is issued from now on
     * @param fenced who held slots and loses them
     * @param retired the names of the slots that were retired, and are still, by their numbers
     * @param dropped the names of those that were retired and are no slots of the new layout
     */
    public record Report(
            String from, String to, Instant floor, List<String> fenced, List<String> retired, List<String> dropped) {}

    /**
     * Does it.
     *
     * @param scheme as the new configuration has it
     * @param fenceHolders whether to go on although replicas hold slots; they lose them
     * @throws RefusedException when there is nothing to change, replicas hold slots, or one is reserved so far ahead that the new
     *     layout would serve nothing for longer than any terms explain; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, or {@code CLOCK_SKEW} when ZooKeeper's clock is not this
     *     machine's; nothing was done
     * @throws UnreachableException when ZooKeeper does not take it
     */
    public static Report run(AllocatorSettings settings, Scheme<?> scheme, boolean fenceHolders) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return change(connection.store(), Clock.system(), settings, scheme, fenceHolders);
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    static Report change(Store store, Clock clock, AllocatorSettings settings, Scheme<?> scheme, boolean fenceHolders) {
        SlotPool pool = scheme.pool()
                .orElseThrow(() -> new RefusedException("scheme " + scheme.name() + " has no slots, so no layout"));
        return new Relayout(store, clock, settings, pool).change(fenceHolders);
    }

    /**
     * In two transactions. The first ends the old generation: from then on nobody reserves, and nobody retires a slot. What the records
     * say and what time it is is read after that, and the second begins the new one above. Whoever dies between the two leaves a
     * pool that serves nothing until the command is run again.
     */
    private Report change(boolean fenceHolders) {
        store.sync(tree.root());
        Root.Seen meta = Root.read(store, tree)
                .orElseThrow(() -> Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist"));
        Store.Node node = store.read(path)
                .orElseThrow(() -> new RefusedException(path + " does not exist: the first replica makes it"));
        Optional<Layouts.Seen> old = readable();
        List<String> generations = store.children(path);
        Optional<Layouts.Seen> whole = old.filter(seen -> generations.contains(seen.generation()));
        refuseWhatIsTheSame(whole);
        List<String> holders = holders();
        if (!holders.isEmpty() && !fenceHolders) {
            throw new RefusedException(path + " is in use: " + String.join(", ", holders)
                    + "; stop these replicas, or take their slots away with --fence");
        }
        refuseWhatIsFarAhead(judge.agreed(store, tree));
        String ended = end(meta, node.version(), generations);
        Duration ahead =
                whole.map(seen -> seen.node().terms()).orElse(Terms.largest()).ahead();
        Instant reserved = Floors.later(
                old.map(Layouts.Seen::floor).orElse(Instant.EPOCH), new Pools(store, tree).reservedThrough(pool));
        Instant least = Floors.later(reserved, judge.agreed(store, tree).plus(ahead));
        LayoutNode next = LayoutNode.begun(pool, settings.terms(), least, ahead);
        List<String> before = new Pools(store, tree)
                .retiredOf(tree.records(pool)).stream()
                        .map(record -> record.substring(record.lastIndexOf('/') + 1))
                        .toList();
        List<String> retired = before.stream()
                .flatMap(name -> renamed(pool, name).stream())
                .distinct()
                .toList();
        List<String> dropped =
                before.stream().filter(name -> renamed(pool, name).isEmpty()).toList();
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(new Store.Op.Write(path, Json.write(next), node.version()));
        ops.add(new Store.Op.Delete(tree.generation(pool, ended), -1));
        ops.add(new Store.Op.Create(tree.generation(pool, next.generation()), "", false));
        ops.addAll(retiring(before, retired));
        var unused = store.attempt(ops); // what is there then tells whether it was done
        Layouts.Seen now = Layouts.read(store, tree, pool)
                .filter(seen -> seen.generation().equals(next.generation()))
                .orElseThrow(this::conflict);
        String from = old.map(seen -> describe(seen.node())).orElse(node.data());
        return new Report(from, describe(now.node()), now.floor(), holders, retired, dropped);
    }

    private StoreException conflict() {
        return new StoreException(
                StoreException.Kind.CONFLICT,
                path + ", or meta, was written by somebody else while it was changed; look, and run it again");
    }

    /**
     * Ends the generations that were there when the layout was read, by name, and puts a mark in their place, by which the second
     * transaction knows that none has begun since. The layout's version alone would do for neither: it may have been deleted and
     * made anew by other terms, at the same version.
     *
     * @return the mark
     */
    private String end(Root.Seen meta, int version, List<String> generations) {
        String mark = "relayout-" + UUID.randomUUID();
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(new Store.Op.Check(path, version));
        generations.forEach(old -> ops.add(new Store.Op.Delete(tree.generation(pool, old), -1)));
        ops.add(new Store.Op.Create(tree.generation(pool, mark), "", false));
        if (!store.attempt(ops) && store.read(tree.generation(pool, mark)).isEmpty()) {
            throw conflict();
        }
        return mark;
    }

    /** Once ended, a generation does not come back: what would be out for long is not begun. */
    private void refuseWhatIsFarAhead(Instant now) {
        Instant reserved = new Pools(store, tree).reservedThrough(pool);
        if (reserved.isAfter(now.plus(Terms.largest().ahead()))) {
            throw new RefusedException(tree.records(pool) + " says that IDs may have been issued up to " + reserved
                    + ", as where a clock was far ahead together with ZooKeeper's; another layout would serve nothing until"
                    + " then: wait, or keep the layout");
        }
    }

    /** Empty for a node that cannot be read, or does not fit its name: nobody knows what was reserved under it. */
    private Optional<Layouts.Seen> readable() {
        try {
            return Layouts.read(store, tree, pool).filter(seen -> seen.node().fitsItsName());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.MALFORMED) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** Only where it is whole: where somebody deleted the generation's node, the same layout begins anew. */
    private void refuseWhatIsTheSame(Optional<Layouts.Seen> whole) {
        LayoutNode next = LayoutNode.first(pool, settings.terms());
        if (whole.filter(seen -> seen.node().differences(next).isEmpty()).isPresent()) {
            throw new RefusedException(path + " is as configured already; nothing was changed");
        }
    }

    private List<String> holders() {
        return store.children(tree.leases(pool)).stream()
                .sorted()
                .map(name -> "slot " + name + " by " + holder(tree.leases(pool) + "/" + name))
                .toList();
    }

    private String holder(String lease) {
        try {
            return store.read(lease)
                    .map(node -> Json.read(lease, node.data(), LeaseNode.class).instance())
                    .orElse("a replica that has just left");
        } catch (StoreException e) {
            return "somebody whose lease cannot be read";
        }
    }

    private static String describe(LayoutNode node) {
        return node.layout() + ", window " + node.windowMillis() + " ms, sessionTimeout " + node.sessionTimeoutMillis()
                + " ms, maxClockSkew " + node.maxClockSkewMillis() + " ms";
    }

    /** What a slot of the old layout is called in the new one, which may have more or fewer digits; empty when it has no such slot. */
    private static Optional<String> renamed(SlotPool pool, String name) {
        for (int digits = 1; digits <= name.length() || digits <= pool.nameOf(0).length(); digits++) {
            String padded = "0".repeat(Math.max(0, digits - name.length())) + name;
            String candidate = padded.substring(padded.length() - digits);
            boolean sameNumber = padded.substring(0, padded.length() - digits).matches("0*");
            if (sameNumber && Pools.isSlot(pool, candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Where the names of retired slots change, their records follow. */
    private List<Store.Op> retiring(List<String> before, List<String> retired) {
        String record = Json.write(SlotRecord.retired(pool.unit(), Instant.EPOCH));
        return retired.stream()
                .filter(name -> !before.contains(name))
                .map(name -> tree.records(pool) + "/" + name)
                .<Store.Op>map(renamed -> store.read(renamed)
                        .<Store.Op>map(node -> new Store.Op.Write(renamed, record, node.version()))
                        .orElse(new Store.Op.Create(renamed, record, false)))
                .toList();
    }
}
