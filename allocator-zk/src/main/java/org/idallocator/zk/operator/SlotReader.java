package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;

/**
 * Reads slots for people and for the doctor. The nodes of all slots of a pool are asked for together.
 *
 * @param access what the operator works with
 * @param clockOffset how far the clock is ahead of ZooKeeper's, where somebody has measured that
 */
record SlotReader(OperatorAccess access, Supplier<Optional<Duration>> clockOffset) {

    /** A slot's name in whatever layout. Nodes of other names are nobody's slots, and left out. */
    private static final Pattern NAME = Pattern.compile("[0-9A-Fa-f]{1,13}");

    /** One slot, used or not. */
    LeaseView slot(Slot slot) {
        return read(slot.scheme(), slot.pool(), List.of(slot.name())).slots().get(0);
    }

    /** The slots of a pool that have a lease or a record. */
    PoolReading pool(Scheme<?> scheme, SlotPool pool) {
        Tree tree = access.nodes().tree();
        TreeSet<String> names = Stream.of(tree.leases(pool), tree.records(pool))
                .flatMap(parent -> access.store().children(parent).stream())
                .filter(name -> NAME.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
        return read(scheme, pool, List.copyOf(names));
    }

    private PoolReading read(Scheme<?> scheme, SlotPool pool, List<String> names) {
        Tree tree = access.nodes().tree();
        List<String> paths = new ArrayList<>(List.of(tree.meta(), tree.layout(pool), tree.records(pool)));
        for (String name : names) {
            paths.add(tree.leases(pool) + "/" + name);
            paths.add(tree.records(pool) + "/" + name);
        }
        List<Optional<Store.Node>> answers = access.store().readAll(paths);
        Map<String, Store.Node> read = new HashMap<>();
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get(i);
            answers.get(i).ifPresent(node -> read.put(path, node));
        }
        return new PoolReading(access.nodes(), read, scheme, pool, names, micros(read));
    }

    /**
     * The time by ZooKeeper's clock, where it is known how far that is from this one. Else by this one; but it cannot be earlier
     * than what was written last, and holders write every few seconds.
     */
    private long micros(Map<String, Store.Node> read) {
        long own = access.clock().micros();
        return clockOffset
                .get()
                .map(offset -> own - offset.toNanos() / 1_000)
                .orElseGet(() -> read.values().stream()
                        .mapToLong(node -> node.leaderMillis() * 1_000)
                        .reduce(own, Math::max));
    }
}
