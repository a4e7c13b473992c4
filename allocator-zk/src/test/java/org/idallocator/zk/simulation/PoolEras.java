package org.idallocator.zk.simulation;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Store.Op;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Tree;

/** Which incarnation and which generation there are, of each pool, and which of them a transaction depends on. */
final class PoolEras {
    private static final String LAYOUT = "/layout";

    private final Tree tree;
    private final Map<String, Begun> present = new HashMap<>(); // by the paths of their pools
    private final Set<String> cameBack = new HashSet<>(); // the pools that have an era which had ended
    private final Set<EraName> ended = new HashSet<>();
    private final Map<String, Optional<MetaNode>> metas = new HashMap<>(); // by what the nodes say
    private final Map<String, Optional<LayoutNode>> layouts = new HashMap<>();

    PoolEras(Tree tree) {
        this.tree = tree;
    }

    /** An incarnation together with a generation, by their names. */
    record EraName(String incarnation, String generation) {}

    /** The same, with the floor of both, and the generation's terms. */
    record Begun(EraName name, Instant floor, Terms terms) {}

    /**
     * What a transaction depends on, as far as that is known.
     *
     * @param incarnation which it checks; where it checks none, which its sender has read last
     * @param generation which it checks
     * @param read which its sender has read last
     */
    record Dependence(Optional<String> incarnation, Optional<String> generation, Optional<String> read) {}

    /**
     * What there is of a pool now. Empty where something is missing, and where it {@linkplain #hasComeBack has come
     * back}.
     */
    Optional<Begun> present(String pool) {
        return Optional.ofNullable(present.get(pool));
    }

    /** Whether a backup has brought a pool's era back that had ended. Nobody is to go on in that. */
    boolean hasComeBack(String pool) {
        return cameBack.contains(pool);
    }

    /** Looks at what there is now. */
    void look(NavigableMap<String, Znode> nodes) {
        Map<String, Begun> now = new HashMap<>();
        nodes.forEach((path, layout) -> {
            if (path.endsWith(LAYOUT)) {
                begun(nodes, path, layout)
                        .ifPresent(begun -> now.put(path.substring(0, path.length() - LAYOUT.length()), begun));
            }
        });
        Set<EraName> names = now.values().stream().map(Begun::name).collect(Collectors.toSet());
        present.values().stream()
                .map(Begun::name)
                .filter(name -> !names.contains(name))
                .forEach(ended::add);
        present.clear();
        cameBack.clear();
        now.forEach((pool, begun) -> {
            if (ended.contains(begun.name())) {
                cameBack.add(pool);
            } else {
                present.put(pool, begun);
            }
        });
    }

    private Optional<Begun> begun(NavigableMap<String, Znode> nodes, String path, Znode layout) {
        Optional<Znode> root = Optional.ofNullable(nodes.get(tree.meta()));
        return root.flatMap(meta -> meta(meta.data())
                .filter(in -> nodes.containsKey(tree.incarnation(in.incarnation())))
                .flatMap(in -> layout(path, layout.data())
                        .filter(by -> nodes.containsKey(path + "/" + by.generation()))
                        .map(by -> new Begun(
                                new EraName(in.incarnation(), by.generation()),
                                Floors.later(in.floorAt(meta.leaderMillis()), by.floorAt(layout.leaderMillis())),
                                by.terms()))));
    }

    /** What a transaction depends on, of whoever has {@code read} these nodes. */
    Dependence of(List<Op> ops, String pool, Map<String, Store.Node> read) {
        String layout = pool + LAYOUT;
        return new Dependence(
                checked(ops, tree.meta())
                        .or(() -> Optional.ofNullable(read.get(tree.meta()))
                                .flatMap(node -> meta(node.data()))
                                .map(MetaNode::incarnation)),
                checked(ops, layout),
                Optional.ofNullable(read.get(layout))
                        .flatMap(node -> layout(layout, node.data()))
                        .map(LayoutNode::generation));
    }

    /** The child of this node that must be there. */
    private static Optional<String> checked(List<Op> ops, String parent) {
        return ops.stream()
                .filter(op -> op instanceof Op.Check || op instanceof Op.Delete)
                .map(Op::path)
                .filter(path -> path.startsWith(parent + "/"))
                .map(path -> path.substring(parent.length() + 1))
                .findFirst();
    }

    private Optional<MetaNode> meta(String data) {
        return metas.computeIfAbsent(data, each -> Payloads.readable(tree.meta(), each, MetaNode.class));
    }

    private Optional<LayoutNode> layout(String path, String data) {
        return layouts.computeIfAbsent(data, each -> Payloads.readable(path, each, LayoutNode.class));
    }
}
