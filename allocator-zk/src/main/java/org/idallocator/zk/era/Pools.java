package org.idallocator.zk.era;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.idallocator.core.scheme.SlotNames;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/** All pools in ZooKeeper, also those of schemes that are not configured here. */
public final class Pools {
    private final Znodes nodes;

    /** {@code nodes} is the tree whose pools they are. */
    public Pools(Znodes nodes) {
        this.nodes = nodes;
    }

    /** Whether a pool has a slot of this name. Below a pool there may also be names of another layout's slots. */
    public static boolean isSlot(SlotPool pool, String name) {
        return pool.names().slotAt(name).isPresent();
    }

    /** The records of a pool, of whatever layout, in the order of their names, read together. */
    private Stream<Found<SlotRecord>> records(PoolTree pool) {
        List<String> paths = nodes.store().children(pool.records()).stream()
                .sorted()
                .map(pool::record)
                .toList();
        Answers answers = nodes.readAll(paths);
        return paths.stream().flatMap(path -> answers.found(path, SlotRecord.class).stream());
    }

    /**
     * The end of what is reserved in a pool by its records, of whatever layout, as far as they can be read; 1970 where
     * nothing is. The answer stays true only while nobody can reserve more, that is, between two generations. Throws
     * {@link StoreException} {@code NEWER} where only later versions understand a record: nobody here knows what that
     * reserves.
     */
    public Instant reservedThrough(SlotPool pool) {
        return records(nodes.tree().pool(pool))
                .flatMap(found -> found.replaceable().stream())
                .filter(record -> record.ceiling() >= 0)
                .map(record -> record.reservedThrough(pool.unit()))
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    /**
     * Throws {@link StoreException} {@code NEWER} where only later versions understand a record of any pool: its
     * replicas may reserve further ahead than this version knows.
     */
    public void requireUnderstood() {
        all().stream().flatMap(this::records).forEach(found -> {
            var unused = found.replaceable();
        });
    }

    /** Where all pools live. */
    public List<PoolTree> all() {
        String root = nodes.tree().root();
        return nodes.store().children(root).stream()
                .filter(Tree::leadsToPools)
                .flatMap(name -> poolsAt(Tree.child(root, name)))
                .toList();
    }

    /** A node that is no pool's has pools below it, as {@code eightbyte} has. */
    private Stream<PoolTree> poolsAt(String path) {
        List<String> children = nodes.store().children(path);
        return PoolTree.isPool(children)
                ? Stream.of(new PoolTree(path))
                : children.stream().map(child -> new PoolTree(Tree.child(path, child)));
    }

    /**
     * The paths of the records of all retired slots, one of each slot: where layouts with shorter or longer names
     * followed each other, there may be several.
     *
     * @param configured the pools whose present names are known
     */
    public List<String> retired(Collection<SlotPool> configured) {
        return all().stream().flatMap(pool -> retired(pool, configured)).toList();
    }

    private Stream<String> retired(PoolTree tree, Collection<SlotPool> configured) {
        List<String> names =
                retiredOf(tree).map(record -> Tree.name(record.path())).toList();
        List<SlotPool> present = configured.stream()
                .filter(pool -> nodes.tree().pool(pool).equals(tree))
                .toList();
        return oneOfEachSlot(names, name -> present.stream().anyMatch(pool -> isSlot(pool, name))).stream()
                .map(tree::record);
    }

    /**
     * Of the names that a slot has in layouts of any size, one: its present one if that is among them, else the first.
     * Sorted.
     */
    public static Set<String> oneOfEachSlot(Collection<String> names, Predicate<String> isPresent) {
        Map<String, String> chosen = new HashMap<>();
        for (String name : new TreeSet<>(names)) {
            chosen.merge(SlotNames.unpadded(name), name, (first, next) -> isPresent.test(next) ? next : first);
        }
        return new TreeSet<>(chosen.values());
    }

    /** The records of a pool's retired slots, of whatever layout. */
    Stream<Found<SlotRecord>> retiredOf(PoolTree pool) {
        return records(pool)
                .filter(found -> found.readable().filter(SlotRecord::isRetired).isPresent());
    }
}
