package org.idallocator.zk;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
     * @param retired the names of the slots that are retired, under the old layout and still under the new one
     */
    public record Report(String from, String to, Instant floor, List<String> fenced, List<String> retired) {}

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
        refuseWhatIsTheSame(store, tree, pool, old, LayoutNode.first(pool, settings.terms()));
        List<String> holders = holders(store, tree, pool);
        if (!holders.isEmpty() && !fenceHolders) {
            throw new RefusedException(path + " is in use: " + String.join(", ", holders)
                    + "; stop these replicas, or take their slots away with --fence");
        }
        LayoutNode next = LayoutNode.begun(
                pool,
                settings.terms(),
                old.map(Layouts.Seen::floor).orElse(Instant.EPOCH),
                old.map(seen -> seen.node().terms()).orElse(Terms.largest()).ahead());
        store.multi(replacement(store, tree, pool, meta, node.version(), next));
        Layouts.Seen now = Layouts.read(store, tree, pool)
                .orElseThrow(() ->
                        new StoreException(StoreException.Kind.CONFLICT, path + " was removed while it was changed"));
        List<String> retired = new Pools(store, tree)
                .retiredOf(tree.records(pool)).stream()
                        .map(record -> record.substring(record.lastIndexOf('/') + 1))
                        .toList();
        String from = old.map(seen -> describe(seen.node())).orElse(node.data());
        return new Report(from, describe(now.node()), now.floor(), holders, retired);
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

    /** Where somebody deleted the generation's node, the same layout begins anew: no replica can go on without. */
    private static void refuseWhatIsTheSame(
            Store store, Tree tree, SlotPool pool, Optional<Layouts.Seen> old, LayoutNode next) {
        Optional<Layouts.Seen> same =
                old.filter(seen -> seen.node().differences(next).isEmpty());
        if (same.isPresent()
                && store.read(tree.generation(pool, same.get().generation())).isPresent()) {
            throw new RefusedException(tree.layout(pool) + " is as configured already; nothing was changed");
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

    private static List<Store.Op> replacement(
            Store store, Tree tree, SlotPool pool, Root.Seen meta, int version, LayoutNode next) {
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(new Store.Op.Write(tree.layout(pool), Json.write(next), version));
        ops.addAll(store.children(tree.layout(pool)).stream()
                .map(old -> new Store.Op.Delete(tree.generation(pool, old), -1))
                .collect(Collectors.toList()));
        ops.add(new Store.Op.Create(tree.generation(pool, next.generation()), "", false));
        return ops;
    }
}
