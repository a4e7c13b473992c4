package org.idallocator.zk.store;

import java.util.List;
import java.util.Optional;

/** A store that passes every call on to another one. Subclasses change something on the way. */
public class ForwardingStore implements Store {
    private final Store store;

    public ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public Session session() {
        return store.session();
    }

    @Override
    public Optional<Node> read(String path) {
        return store.read(path);
    }

    @Override
    public List<String> children(String path) {
        return store.children(path);
    }

    @Override
    public void ensure(String path) {
        store.ensure(path);
    }

    @Override
    public Outcome.Sent send(Transaction transaction) {
        return store.send(transaction);
    }

    @Override
    public List<Long> takeIndexes(String parent, int count) {
        return store.takeIndexes(parent, count);
    }

    @Override
    public void sync(String path) {
        store.sync(path);
    }

    @Override
    public void watch(List<String> paths) {
        store.watch(paths);
    }

    @Override
    public boolean worldMayWrite(String path) {
        return store.worldMayWrite(path);
    }
}
