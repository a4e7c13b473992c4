package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;

/**
 * Which nodes strangers may write: anybody but the identity of these settings, with other credentials or without any. Whoever may
 * write the records of slots, or delete them, can have replicas issue equal IDs.
 *
 * @param root the path of the root
 * @param access who may change each node, the root among them; parents come before their children
 * @param hidden the paths of the nodes whose children this client may not see
 */
public record Strangers(String root, List<Store.Access> access, List<String> hidden) {
    private static final int SHOWN = 3;

    public Strangers {
        access = List.copyOf(access);
        hidden = List.copyOf(hidden);
    }

    /** Looks at the root and all that is below it. */
    static Strangers look(Nodes nodes) {
        String root = nodes.tree().root();
        List<String> all = new ArrayList<>();
        List<String> hidden = new ArrayList<>();
        if (nodes.exists(root)) {
            all.add(root);
        }
        for (int i = 0; i < all.size(); i++) {
            String parent = all.get(i);
            nodes.allowedChildren(parent)
                    .ifPresentOrElse(
                            children -> children.stream()
                                    .sorted()
                                    .map(child -> parent + "/" + child)
                                    .forEach(all::add),
                            () -> hidden.add(parent));
        }
        return new Strangers(root, all.isEmpty() ? List.of() : nodes.store().access(all), hidden);
    }

    /** The paths of all nodes. */
    public List<String> paths() {
        return access.stream().map(Store.Access::path).toList();
    }

    /** How many nodes there are. */
    public int nodes() {
        return access.size();
    }

    /** The paths of the nodes that strangers may write. */
    public List<String> open() {
        return access.stream()
                .filter(Store.Access::open)
                .map(Store.Access::path)
                .toList();
    }

    /** The paths of the nodes of which ZooKeeper does not tell this client who may write them, or what is below them. */
    public List<String> untold() {
        return access.stream()
                .filter(node -> !node.told() || (!node.open() && hidden.contains(node.path())))
                .map(Store.Access::path)
                .toList();
    }

    /**
     * {@code strangers may write 12 of the 30 nodes of /ids: /ids (world:anyone:cdrwa), ...}, and of how many nodes it is not known;
     * empty where all nodes are known, and strangers may write none.
     */
    public Optional<String> inWords() {
        List<String> words = new ArrayList<>();
        if (!open().isEmpty()) {
            List<Store.Access> open = access.stream().filter(Store.Access::open).toList();
            words.add("strangers may write " + open.size() + " of the " + nodes() + " nodes of " + root + ": "
                    + some(open, node -> node.path() + " (" + String.join(", ", node.others()) + ")"));
        }
        if (!untold().isEmpty()) {
            words.add("ZooKeeper does not tell this client who may write " + untold().size() + " of the " + nodes()
                    + " nodes of " + root + ", or what is below them: " + some(untold(), path -> path));
        }
        return Optional.of(String.join("; ", words)).filter(text -> !text.isEmpty());
    }

    /** The first of many, in words. */
    static <T> String some(List<T> all, Function<T, String> inWords) {
        return Stream.concat(
                        all.stream().limit(SHOWN).map(inWords),
                        all.stream().skip(SHOWN).limit(1).map(more -> "..."))
                .collect(Collectors.joining(", "));
    }
}
