package org.idallocator.zk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;

/**
 * Changes how a pool is cut into slots, or the terms by which its replicas reserve, to what a configuration says. It begins a new
 * generation of the pool: its floor is above all that replicas of the old one may have reserved, and no write of theirs passes any
 * more, so that they fence what they hold. Replicas with the new configuration serve when the floor is past.
 */
public final class Relayout {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private Relayout() {}

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
     * @throws RefusedException when there is nothing to change, or replicas hold slots; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}; nothing was done
     * @throws UnreachableException when ZooKeeper does not take it
     */
    public static Report run(AllocatorSettings settings, Scheme<?> scheme, boolean fenceHolders) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return change(connection.store(), settings, scheme, fenceHolders);
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    static Report change(Store store, AllocatorSettings settings, Scheme<?> scheme, boolean fenceHolders) {
        Tree tree = new Tree(settings.zookeeper().root());
        SlotPool pool = scheme.pool()
                .orElseThrow(() -> new RefusedException("scheme " + scheme.name() + " has no slots, so no layout"));
        store.sync(tree.root());
        Root.Seen meta = Root.read(store, tree)
                .orElseThrow(() -> Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist"));
        String path = tree.layout(pool);
        Store.Node node = store.read(path)
                .orElseThrow(() -> new RefusedException(path + " does not exist: the first replica makes it"));
        Optional<Layouts.Seen> old = readable(store, tree, pool);
        List<String> generations = store.children(path);
        Optional<Layouts.Seen> whole = old.filter(seen -> generations.contains(seen.generation()));
        refuseWhatIsTheSame(path, whole, LayoutNode.first(pool, settings.terms()));
        List<String> holders = holders(store, tree, pool);
        if (!holders.isEmpty() && !fenceHolders) {
            throw new RefusedException(path + " is in use: " + String.join(", ", holders)
                    + "; stop these replicas, or take their slots away with --fence");
        }
        LayoutNode next = LayoutNode.begun(
                pool,
                settings.terms(),
                old.map(Layouts.Seen::floor).orElse(Instant.EPOCH),
                whole.map(seen -> seen.node().terms()).orElse(Terms.largest()).ahead());
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
        List<Store.Op> ops = new ArrayList<>(replacement(tree, pool, meta, node.version(), generations, next));
        ops.addAll(retiring(store, tree, pool, before, retired));
        var unused = store.attempt(ops); // what is there then tells whether it was done
        Layouts.Seen now = Layouts.read(store, tree, pool)
                .filter(seen -> seen.generation().equals(next.generation()))
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.CONFLICT,
                        path + ", or meta, was written by somebody else while it was changed; look, and run it again"));
        String from = old.map(seen -> describe(seen.node())).orElse(node.data());
        return new Report(from, describe(now.node()), now.floor(), holders, retired, dropped);
    }

    /** Empty for a node that cannot be read, or does not fit its name: nobody knows what was reserved under it. */
    private static Optional<Layouts.Seen> readable(Store store, Tree tree, SlotPool pool) {
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
    private static void refuseWhatIsTheSame(String path, Optional<Layouts.Seen> whole, LayoutNode next) {
        if (whole.filter(seen -> seen.node().differences(next).isEmpty()).isPresent()) {
            throw new RefusedException(path + " is as configured already; nothing was changed");
        }
    }

    private static List<String> holders(Store store, Tree tree, SlotPool pool) {
        return store.children(tree.leases(pool)).stream()
                .sorted()
                .map(name -> "slot " + name + " by " + holder(store, tree.leases(pool) + "/" + name))
                .toList();
    }

    private static String holder(Store store, String path) {
        try {
            return store.read(path)
                    .map(node -> Json.read(path, node.data(), LeaseNode.class).instance())
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
    private static List<Store.Op> retiring(
            Store store, Tree tree, SlotPool pool, List<String> before, List<String> retired) {
        String record = Json.write(SlotRecord.retired(pool.unit(), Instant.EPOCH));
        return retired.stream()
                .filter(name -> !before.contains(name))
                .map(name -> tree.records(pool) + "/" + name)
                .<Store.Op>map(path -> store.read(path)
                        .<Store.Op>map(node -> new Store.Op.Write(path, record, node.version()))
                        .orElse(new Store.Op.Create(path, record, false)))
                .toList();
    }

    /**
     * Ends the generations that were there when the layout was read, by name. The layout's version alone would not do: it may have
     * been deleted and made anew by other terms meanwhile, at the same version.
     */
    private static List<Store.Op> replacement(
            Tree tree, SlotPool pool, Root.Seen meta, int version, List<String> generations, LayoutNode next) {
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(new Store.Op.Write(tree.layout(pool), Json.write(next), version));
        generations.forEach(old -> ops.add(new Store.Op.Delete(tree.generation(pool, old), -1)));
        ops.add(new Store.Op.Create(tree.generation(pool, next.generation()), "", false));
        return ops;
    }
}
