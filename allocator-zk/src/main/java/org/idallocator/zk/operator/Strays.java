package org.idallocator.zk.operator;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells nodes that somebody has put among those of slots from slots. A slot's name is a number, of this layout or of another one.
 * Whatever has another name is left out of all views, and logged once in a process. Thread-safe.
 */
final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);
    private static final Pattern NUMBER = Pattern.compile("[0-9A-Fa-f]{1,13}");
    private static final int MOST = 1_000;
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private Strays() {}

    /** The paths of the nodes that the allocator does not make; also members that stay when their session ends. */
    static List<String> among(Tree tree, List<Store.Access> nodes) {
        return nodes.stream()
                .filter(node -> !tree.has(node.path()) || stays(tree, node))
                .map(Store.Access::path)
                .toList();
    }

    private static boolean stays(Tree tree, Store.Access node) {
        return node.told() && !node.ephemeral() && node.path().startsWith(tree.members() + "/");
    }

    /** Whether the child of this parent cannot be any layout's slot. */
    static boolean isStray(String parent, String name) {
        if (NUMBER.matcher(name).matches()) {
            return false;
        }
        String path = parent + "/" + name;
        if (TOLD.size() < MOST && TOLD.add(path)) {
            LOG.warn("{} is no slot, and is left out: nothing but the allocator may write there", path);
        }
        return true;
    }
}
