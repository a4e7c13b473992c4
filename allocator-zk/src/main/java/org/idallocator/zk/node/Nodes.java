package org.idallocator.zk.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tree below one root, on one store. Each node is read as what it holds; where it holds something else, the read throws
 * {@link StoreException} {@code MALFORMED}, and where only later versions understand it, {@code NEWER}.
 *
 * @param store where the nodes are
 * @param tree what their paths are
 */
public record Nodes(Store store, Tree tree) {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    /**
     * A node that was read.
     *
     * @param <T> what it holds
     * @param payload what it held
     * @param node the node's version, owner and time
     */
    public record Read<T>(T payload, Store.Node node) {

        /** The version of the node's data. */
        public int version() {
            return node.version();
        }
    }

    /** The nodes below this path. */
    public static Nodes below(String root, Store store) {
        return new Nodes(store, new Tree(root));
    }

    /** The root's identity. */
    public Optional<Read<MetaNode>> meta() {
        return read(tree.meta(), MetaNode.class);
    }

    /** What all replicas must agree on. */
    public Optional<Read<LayoutNode>> layout(SlotPool pool) {
        return read(tree.layout(pool), LayoutNode.class);
    }

    /** How far a slot is reserved. */
    public Optional<Read<SlotRecord>> record(Slot slot) {
        String path = tree.record(slot);
        return store.read(path).map(node -> new Read<>(SlotRecord.read(path, node.data(), slot.unit()), node));
    }

    /** Who holds a slot. */
    public Optional<Read<LeaseNode>> lease(Slot slot) {
        return read(tree.lease(slot), LeaseNode.class);
    }

    /** A replica. */
    public Optional<Read<MemberNode>> member(String instance) {
        return read(tree.member(instance), MemberNode.class);
    }

    /** The node at any path. */
    public <T> Optional<Read<T>> read(String path, Class<T> type) {
        return store.read(path).map(node -> new Read<>(Json.read(path, node.data(), type), node));
    }

    /** What the node at any path holds, for who only looks; empty also where the node holds something else. */
    public <T> Optional<T> readable(String path, Class<T> type) {
        return store.read(path).flatMap(node -> Json.readable(path, node.data(), type));
    }

    /**
     * The same for who counts what the node reserves; throws {@link StoreException} {@code NEWER} where only later versions
     * understand the node.
     */
    public <T> Optional<T> replaceable(String path, Class<T> type) {
        return store.read(path).flatMap(node -> Json.replaceable(path, node.data(), type));
    }

    /** The names of a node's children; none when there is no such node. Empty where this client may not see them. */
    public Optional<List<String>> allowedChildren(String path) {
        return allowed(() -> store.children(path));
    }

    /** The nodes at these paths, in their order; empty also where this client may not read one. */
    public List<Optional<Store.Node>> allowedReads(List<String> paths) {
        return allowed(() -> store.readAll(paths))
                .orElseGet(() -> paths.stream()
                        .map(path -> allowed(() -> store.read(path)).flatMap(node -> node))
                        .toList());
    }

    private static <T> Optional<T> allowed(Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            LOG.debug("this client may not read a node", e);
            return Optional.empty();
        }
    }

    /** Whether there is a node. */
    public boolean exists(String path) {
        return store.read(path).isPresent();
    }

    /** Whether somebody deleted records of a pool, as nobody should: a slot without a record may then have been used. */
    public boolean recordsDeleted(SlotPool pool) {
        return store.read(tree.records(pool))
                .filter(Store.Node::childrenDeleted)
                .isPresent();
    }
}
