package org.idallocator.zk.znode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * What ZooKeeper has answered about many nodes, which were asked for together. Of any other node, nothing was found.
 */
public final class Answers {
    private static final Store.Answer NOTHING = new Store.Answer.Missing();

    private final Znodes nodes;
    private final Map<String, Store.Answer> answers;

    /** {@code given} are the answers about these paths, in their order. */
    static Answers of(Znodes nodes, List<String> paths, List<Store.Answer> given) {
        Map<String, Store.Answer> byPath = new HashMap<>();
        for (int i = 0; i < paths.size(); i++) {
            byPath.put(paths.get(i), given.get(i));
        }
        return new Answers(nodes, byPath);
    }

    private Answers(Znodes nodes, Map<String, Store.Answer> answers) {
        this.nodes = nodes;
        this.answers = Map.copyOf(answers);
    }

    /** These answers, and where a node was asked for again, the later ones. */
    public Answers with(Answers later) {
        Map<String, Store.Answer> all = new HashMap<>(answers);
        all.putAll(later.answers);
        return new Answers(nodes, all);
    }

    /** The node at a path, for who only looks: empty where there is none, and where it may not be read. */
    public Optional<Store.Node> readable(String path) {
        return answer(path).readable();
    }

    /** {@code NO_PERMISSION}, naming the node, where it is there and may not be read. */
    public Optional<StoreException> forbidden(String path) {
        return answer(path).forbidden();
    }

    /** Whether there is a node at a path, also one that may not be read. */
    public boolean exists(String path) {
        return !answer(path).equals(NOTHING);
    }

    /** What was found at a path; throws {@link StoreException} {@code NO_PERMISSION} where it may not be read. */
    public <T> Optional<Znodes.Found<T>> found(String path, Class<T> type) {
        return answer(path).get().map(node -> nodes.found(path, node, type));
    }

    /** The same for who only looks: empty where it cannot be read, or may not be. */
    public <T> Optional<Znodes.Found<T>> readable(String path, Class<T> type) {
        return readable(path)
                .map(node -> nodes.found(path, node, type))
                .filter(found -> found.readable().isPresent());
    }

    /** When the last of these nodes was written, by the clock of ZooKeeper's leader; 0 where there are none. */
    public long lastMillis() {
        return answers.values().stream()
                .flatMap(answer -> answer.readable().stream())
                .mapToLong(Store.Node::leaderMillis)
                .reduce(0, Math::max);
    }

    private Store.Answer answer(String path) {
        return answers.getOrDefault(path, NOTHING);
    }
}
