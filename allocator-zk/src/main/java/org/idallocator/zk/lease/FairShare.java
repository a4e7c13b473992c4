package org.idallocator.zk.lease;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.Store;

/**
 * Sees how crowded one pool is. Each look counts leases and members, and reads a few of the leases for their holders, a few of
 * the members for what is no replica, and a few records for slots that are retired: no step of the lease
 * loop may take long. So of a large pool it may know a little late who
 * holds what. Who was not seen to hold its min counts as lacking it. Confined to the lease loop's thread.
 */
final class FairShare {
    private static final int NODES_READ = 16;
    private static final long LARGEST = 4_096; // of a larger pool, slots enough are free

    private final Nodes nodes;
    private final SlotPool pool;
    private final int min;
    private final Map<String, String> holders = new HashMap<>();
    private final Set<String> retired = new HashSet<>();
    private final Set<String> strays = new HashSet<>();
    private final Round leases = new Round();
    private final Round joined = new Round();
    private final Round records = new Round();

    /** {@code min} is how many slots each member is taken to need at least. */
    FairShare(Nodes nodes, SlotPool pool, int min) {
        this.nodes = nodes;
        this.pool = pool;
        this.min = min;
    }

    /** Goes through names in their order, a few at a time, and begins anew after the last. */
    private static final class Round {
        private String last = "";

        List<String> next(NavigableSet<String> names) {
            List<String> next =
                    names.tailSet(last, false).stream().limit(NODES_READ).toList();
            last = next.size() < NODES_READ ? "" : next.get(NODES_READ - 1);
            return next;
        }
    }

    /** How crowded the pool is now; throws {@link org.idallocator.zk.store.StoreException} when ZooKeeper does not answer. */
    Crowd look() {
        TreeSet<String> held = new TreeSet<>(new Pools(nodes).held(pool));
        Set<String> members = members();
        if (pool.size() > LARGEST) {
            return new Crowd(pool.size(), held.size(), members.size(), (long) members.size() * min);
        }
        lookForHolders(held);
        lookForRetired(held);
        return new Crowd(pool.size() - retired.size(), held.size(), members.size(), lacking(members));
    }

    /** What has no replica's name, or stays when its session ends, is no replica, whoever made it. */
    private Set<String> members() {
        TreeSet<String> names =
                new TreeSet<>(nodes.store().children(nodes.tree().members()));
        names.removeIf(name -> !Replica.isInstance(name));
        strays.retainAll(names);
        List<String> some = joined.next(names);
        List<Optional<Store.Node>> found =
                nodes.store().readAll(some.stream().map(nodes.tree()::member).toList());
        for (int i = 0; i < some.size(); i++) {
            if (found.get(i).filter(node -> node.owner() == 0).isPresent()) {
                strays.add(some.get(i));
            } else {
                strays.remove(some.get(i));
            }
        }
        names.removeAll(strays);
        return names;
    }

    private void lookForHolders(NavigableSet<String> held) {
        holders.keySet().retainAll(held);
        for (String name : leases.next(held)) {
            nodes.find(nodes.tree().leases(pool) + "/" + name, LeaseNode.class)
                    .flatMap(Nodes.Found::readable)
                    .ifPresentOrElse(lease -> holders.put(name, lease.instance()), () -> holders.remove(name));
        }
    }

    private void lookForRetired(Set<String> held) {
        TreeSet<String> names =
                new TreeSet<>(nodes.store().children(nodes.tree().records(pool)));
        names.removeIf(name -> held.contains(name) || !Pools.isSlot(pool, name));
        retired.retainAll(names);
        for (String name : records.next(names)) {
            boolean out = nodes.find(nodes.tree().records(pool) + "/" + name, SlotRecord.class)
                    .flatMap(Nodes.Found::readable)
                    .filter(SlotRecord::isRetired)
                    .isPresent();
            if (out) {
                retired.add(name);
            } else {
                retired.remove(name);
            }
        }
    }

    private long lacking(Collection<String> members) {
        Map<String, Long> slots =
                holders.values().stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return members.stream()
                .mapToLong(member -> Math.max(0, min - slots.getOrDefault(member, 0L)))
                .sum();
    }
}
