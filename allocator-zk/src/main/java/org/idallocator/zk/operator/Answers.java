package org.idallocator.zk.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Znodes;

/** What ZooKeeper has answered about many nodes, which were asked for together. Of any other node, nothing was found. */
final class Answers {
    private static final Store.Answer NOTHING = new Store.Answer(Optional.empty(), Optional.empty());

    private final Znodes nodes;
    private final Map<String, Store.Answer> answers;

    private Answers(Znodes nodes, Map<String, Store.Answer> answers) {
        this.nodes = nodes;
        this.answers = Map.copyOf(answers);
    }

    static Answers read(Znodes nodes, List<String> paths) {
        List<Store.Answer> given = nodes.store().readAll(paths);
        Map<String, Store.Answer> answers = new HashMap<>();
        for (int i = 0; i < paths.size(); i++) {
            answers.put(paths.get(i), given.get(i));
        }
        return new Answers(nodes, answers);
    }

    /** The node at a path; empty where there is none, and where it may not be read. */
    Optional<Store.Node> node(String path) {
        return answer(path).node();
    }

    /** {@code NO_PERMISSION}, naming the node, where it is there and may not be read. */
    Optional<StoreException> refused(String path) {
        return answer(path).refused();
    }

    /** Whether there is a node at a path, also one that may not be read. */
    boolean exists(String path) {
        return node(path).isPresent() || refused(path).isPresent();
    }

    /** What was found at a path; throws {@link StoreException} {@code NO_PERMISSION} where it may not be read. */
    <T> Optional<Znodes.Found<T>> found(String path, Class<T> type) {
        return answer(path).get().map(node -> nodes.found(path, node, type));
    }

    /** The same for who only looks: empty where it cannot be read, or may not be. */
    <T> Optional<Znodes.Found<T>> readable(String path, Class<T> type) {
        return node(path)
                .map(node -> nodes.found(path, node, type))
                .filter(found -> found.readable().isPresent());
    }

    /** When the last of these nodes was written, by the clock of ZooKeeper's leader; 0 where there are none. */
    long lastMillis() {
        return answers.values().stream()
                .flatMap(answer -> answer.node().stream())
                .mapToLong(Store.Node::leaderMillis)
                .reduce(0, Math::max);
    }

    private Store.Answer answer(String path) {
        return answers.getOrDefault(path, NOTHING);
    }
}
