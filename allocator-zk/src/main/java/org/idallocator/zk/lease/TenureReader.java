package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/** Reads the slots of tenures back, of however many in the same two answers. Confined to the lease loop's thread. */
final class TenureReader {
    private static final int NODES_EACH = 3;

    private final Znodes nodes;

    TenureReader(Znodes nodes) {
        this.nodes = nodes;
    }

    /**
     * What is there of the slots of these tenures.
     *
     * @param forbidden told of each tenure of which ZooKeeper does not let this client read a node, and why; it has no result
     * @throws RolledBackException when ZooKeeper seems to have lost what one of them wrote
     * @throws StoreException when ZooKeeper does not answer
     */
    Map<Tenure, ReadBack> readBack(List<Tenure> tenures, BiConsumer<Tenure, StoreException> forbidden) {
        Map<Tenure, ReadBack> found = new LinkedHashMap<>();
        if (tenures.isEmpty()) {
            return found;
        }
        List<Store.Answer> answers = read(tenures);
        for (int i = 0; i < tenures.size(); i++) {
            Tenure tenure = tenures.get(i);
            List<Store.Answer> its = answers.subList(i * NODES_EACH, (i + 1) * NODES_EACH);
            Optional<StoreException> why =
                    its.stream().flatMap(answer -> answer.forbidden().stream()).findFirst();
            if (why.isPresent()) {
                forbidden.accept(tenure, why.get());
            } else {
                found.put(tenure, found(tenure, its));
            }
        }
        return found;
    }

    /** The answers of all, {@link #NODES_EACH} for each: its generation, its record, and its lease. */
    private List<Store.Answer> read(List<Tenure> tenures) {
        Tree tree = nodes.tree();
        List<String> paths = new ArrayList<>();
        for (Tenure tenure : tenures) {
            paths.add(tree.generation(tenure.slot().pool(), tenure.grant().generation()));
            paths.add(tree.record(tenure.slot()));
            paths.add(tree.lease(tenure.slot()));
        }
        nodes.store().sync(tree.record(tenures.get(0).slot()));
        return nodes.store().readAll(paths);
    }

    private ReadBack found(Tenure tenure, List<Store.Answer> answers) {
        Tree tree = nodes.tree();
        String record = tree.record(tenure.slot());
        ReadBack read = new ReadBack(
                answers.get(0).get().isPresent(),
                found(record, answers.get(1), SlotRecord.class),
                found(tree.lease(tenure.slot()), answers.get(2), LeaseNode.class));
        requireNotRolledBack(tenure, record, read.version());
        return read;
    }

    private <T> Optional<Znodes.Found<T>> found(String path, Store.Answer answer, Class<T> type) {
        return answer.get().map(node -> nodes.found(path, node, type));
    }

    /** A record's version never goes back, unless ZooKeeper has lost writes. */
    private static void requireNotRolledBack(Tenure tenure, String path, OptionalInt version) {
        OptionalInt known = tenure.record().version();
        if (known.isPresent() && version.orElse(-1) < known.getAsInt()) {
            throw new RolledBackException(tenure, path, version);
        }
    }
}
