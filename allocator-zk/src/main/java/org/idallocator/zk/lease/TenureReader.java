package org.idallocator.zk.lease;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/** Reads the slots of tenures back, of however many in the same two answers. Confined to the lease loop's thread. */
final class TenureReader {
    private final Znodes nodes;

    TenureReader(Znodes nodes) {
        this.nodes = nodes;
    }

    /**
     * What is there of the slots of these tenures.
     *
     * @param forbidden told of each tenure of which ZooKeeper does not let this client read a node, and why; it has no
     *     result
     * @throws RolledBackException when ZooKeeper seems to have lost what one of them wrote
     * @throws StoreException when ZooKeeper does not answer
     */
    Map<Tenure, ReadBack> readBack(List<Tenure> tenures, BiConsumer<Tenure, StoreException> forbidden) {
        Map<Tenure, ReadBack> found = new LinkedHashMap<>();
        if (tenures.isEmpty()) {
            return found;
        }
        nodes.store().sync(nodes.tree().record(tenures.get(0).slot()));
        Answers answers =
                nodes.readAll(tenures.stream().flatMap(this::paths).distinct().toList());
        for (Tenure tenure : tenures) {
            Optional<StoreException> why = paths(tenure)
                    .flatMap(path -> answers.forbidden(path).stream())
                    .findFirst();
            why.ifPresentOrElse(
                    each -> forbidden.accept(tenure, each), () -> found.put(tenure, found(tenure, answers)));
        }
        return found;
    }

    private Stream<String> paths(Tenure tenure) {
        Slot slot = tenure.slot();
        return Stream.of(
                generation(tenure), nodes.tree().record(slot), nodes.tree().lease(slot));
    }

    private String generation(Tenure tenure) {
        return nodes.tree().generation(tenure.slot().pool(), tenure.grant().generation());
    }

    private ReadBack found(Tenure tenure, Answers answers) {
        Tree tree = nodes.tree();
        String record = tree.record(tenure.slot());
        ReadBack read = new ReadBack(
                answers.exists(generation(tenure)),
                answers.found(record, SlotRecord.class),
                answers.found(tree.lease(tenure.slot()), LeaseNode.class));
        requireNotRolledBack(tenure, record, read.version());
        return read;
    }

    /** A record's version never goes back, unless ZooKeeper has lost writes. */
    private static void requireNotRolledBack(Tenure tenure, String path, OptionalInt version) {
        OptionalInt known = tenure.record().version();
        if (known.isPresent() && version.orElse(-1) < known.getAsInt()) {
            throw new RolledBackException(tenure, path, version);
        }
    }
}
