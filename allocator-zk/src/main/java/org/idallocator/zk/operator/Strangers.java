package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;

/**
 * Which nodes strangers may write: anybody who reaches ZooKeeper, without credentials. Whoever may write the records of slots, or
 * delete them, can have replicas issue equal IDs.
 *
 * @param root the path of the root
 * @param paths those of all nodes, the root among them
 * @param open those of the nodes that strangers may write; in both, parents come before their children
 */
public record Strangers(String root, List<String> paths, List<String> open) {
    private static final int SHOWN = 3;

    public Strangers {
        paths = List.copyOf(paths);
        open = List.copyOf(open);
    }

    /** Looks at the root and all that is below it. */
    static Strangers look(Nodes nodes) {
        List<String> all = below(nodes);
        return new Strangers(
                nodes.tree().root(),
                all,
                all.isEmpty() ? List.of() : nodes.store().open(all));
    }

    /** The root and all that is below it, parents first; nothing where there is no root. */
    private static List<String> below(Nodes nodes) {
        Store store = nodes.store();
        String root = nodes.tree().root();
        List<String> all = new ArrayList<>();
        if (nodes.exists(root)) {
            all.add(root);
        }
        for (int i = 0; i < all.size(); i++) {
            String parent = all.get(i);
            store.children(parent).stream()
                    .sorted()
                    .map(child -> parent + "/" + child)
                    .forEach(all::add);
        }
        return all;
    }

    /** How many nodes there are. */
    public int nodes() {
        return paths.size();
    }

    /** {@code strangers may write 12 of the 30 nodes below /ids: /ids, /ids/members, …}; empty where they may write none. */
    public Optional<String> inWords() {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        String which = open.stream().limit(SHOWN).collect(Collectors.joining(", "));
        return Optional.of("strangers may write " + open.size() + " of the " + nodes() + " nodes of " + root + ": "
                + which + (open.size() > SHOWN ? ", ..." : ""));
    }
}
