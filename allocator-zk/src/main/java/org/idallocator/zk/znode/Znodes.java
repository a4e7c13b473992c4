package org.idallocator.zk.znode;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tree below one root, on one store. Whoever reads the JSON of a node reads it here, so that what is malformed is
 * so for everybody, such as a record that reserves more than its scheme's time field can hold. Two things are read
 * where they are needed: the floor that the root keeps, and the snapshot in a record, which only its scheme
 * understands.
 */
public final class Znodes {
    private static final Logger LOG = LoggerFactory.getLogger(Znodes.class);

    private final Store store;
    private final Tree tree;
    private final LongSupplier bits;
    private final Map<String, Store.Node> ahead;

    /**
     * Reads each node when it is asked for.
     *
     * @param store where the nodes are
     * @param tree what their paths are
     * @param bits gives each write of a record 64 bits of its own
     */
    public Znodes(Store store, Tree tree, LongSupplier bits) {
        this(store, tree, bits, Map.of());
    }

    /** The same; {@code ahead} are nodes that were read before they are asked for, by their paths. */
    private Znodes(Store store, Tree tree, LongSupplier bits, Map<String, Store.Node> ahead) {
        this.store = store;
        this.tree = tree;
        this.bits = bits;
        this.ahead = Map.copyOf(ahead);
    }

    /**
     * A node that was read.
     *
     * @param <T> what it should hold
     */
    public sealed interface Found<T> {
        /** Where the node is. */
        String path();

        /** Its data, version, owner and time. */
        Store.Node node();

        /** The version of the node's data. */
        default int version() {
            return node().version();
        }

        /**
         * What the node holds; throws {@link StoreException} {@code MALFORMED} or {@code NEWER} where it cannot be
         * read.
         */
        T get();

        /** The same for who only looks: empty where it cannot be read. */
        Optional<T> readable();

        /**
         * The same for who is about to write over the node, or counts what it reserves: empty where it is malformed.
         * Throws {@link StoreException} {@code NEWER} where only later versions understand it.
         */
        Optional<T> replaceable();

        /**
         * Why the node cannot be read: {@code MALFORMED}, naming it, where it holds something else, and {@code NEWER}
         * where only later versions understand it; empty where it can be read.
         */
        Optional<StoreException> fault();

        /** One that holds what it should, {@code payload}. */
        record Valid<T>(String path, Store.Node node, T payload) implements Found<T> {
            @Override
            public T get() {
                return payload;
            }

            @Override
            public Optional<T> readable() {
                return Optional.of(payload);
            }

            @Override
            public Optional<T> replaceable() {
                return readable();
            }

            @Override
            public Optional<StoreException> fault() {
                return Optional.empty();
            }
        }

        /** One that cannot be read, and {@code trouble} says why. */
        record Faulty<T>(String path, Store.Node node, StoreException trouble) implements Found<T> {
            @Override
            public T get() {
                throw trouble;
            }

            @Override
            public Optional<T> readable() {
                return Optional.empty();
            }

            @Override
            public Optional<T> replaceable() {
                if (trouble.kind() == StoreException.Kind.NEWER) {
                    throw trouble;
                }
                return Optional.empty();
            }

            @Override
            public Optional<StoreException> fault() {
                return Optional.of(trouble);
            }
        }
    }

    /** The nodes below this path. */
    public static Znodes below(String root, Store store, Clock clock) {
        return new Znodes(store, new Tree(root), new WriteBits(clock));
    }

    /** Where the nodes are. */
    public Store store() {
        return store;
    }

    /** What the paths of the nodes are. */
    public Tree tree() {
        return tree;
    }

    /**
     * The same nodes, where these were read ahead, in one answer. Whatever was not there, or may not be read, is asked
     * for again when it is needed: it may have been made meanwhile.
     */
    public Znodes readAhead(List<String> paths) {
        Map<String, Store.Node> read = new HashMap<>(ahead);
        Answers answers = readAll(paths);
        paths.forEach(path -> answers.readable(path).ifPresent(node -> read.put(path, node)));
        return new Znodes(store, tree, bits, read);
    }

    /** The node at a path, if it was read ahead. */
    public <T> Optional<Found<T>> readAlready(String path, Class<T> type) {
        return Optional.ofNullable(ahead.get(path)).map(node -> found(path, node, type));
    }

    /** What ZooKeeper has of these nodes now, asked for together. Asks nobody where there are none. */
    public Answers readAll(List<String> paths) {
        return Answers.of(this, paths, paths.isEmpty() ? List.of() : store.readAll(paths));
    }

    private Optional<Store.Node> read(String path) {
        Optional<Store.Node> known = Optional.ofNullable(ahead.get(path));
        return known.isPresent() ? known : store.read(path);
    }

    /** A record as it is about to be sent, with bits that no other write has, also none of a copy of this process. */
    public SlotRecord withBits(SlotRecord record) {
        return record.sentAs(HexFormat.of().toHexDigits(bits.getAsLong()));
    }

    /** The root's identity. */
    public Optional<Found<MetaNode>> meta() {
        return find(tree.meta(), MetaNode.class);
    }

    /** What all replicas must agree on. */
    public Optional<Found<LayoutNode>> layout(SlotPool pool) {
        return find(tree.layout(pool), LayoutNode.class);
    }

    /** How far a slot is reserved. */
    public Optional<Found<SlotRecord>> record(Slot slot) {
        return find(tree.record(slot), SlotRecord.class);
    }

    /** Who holds a slot. */
    public Optional<Found<LeaseNode>> lease(Slot slot) {
        return find(tree.lease(slot), LeaseNode.class);
    }

    /** The node at any path. */
    public <T> Optional<Found<T>> find(String path, Class<T> type) {
        return read(path).map(node -> found(path, node, type));
    }

    /** The same of a node that was read already. */
    public <T> Found<T> found(String path, Store.Node node, Class<T> type) {
        try {
            return new Found.Valid<>(path, node, Json.read(path, node.data(), type, read -> requireFits(path, read)));
        } catch (StoreException e) {
            LOG.debug("a node cannot be read", e);
            return new Found.Faulty<>(path, node, e);
        }
    }

    /**
     * The operation that puts a payload in the place of what was found at a path, or makes the node where nothing was.
     */
    public static Store.Op over(String path, Optional<? extends Found<?>> before, Object payload) {
        String data = Json.write(payload);
        return before.<Store.Op>map(found -> new Store.Op.Write(path, data, found.version()))
                .orElse(Store.Op.Create.persistent(path, data));
    }

    private void requireFits(String path, Object payload) {
        if (payload instanceof SlotRecord record) {
            record.requireWithin(tree.unit(path));
        }
    }

    /** The node itself, whatever it holds. */
    public Optional<Store.Node> node(String path) {
        return read(path);
    }

    /** Whether there is a node. */
    public boolean exists(String path) {
        return node(path).isPresent();
    }
}
