package org.idallocator.zk;

import java.time.Duration;
import java.util.OptionalInt;
import org.idallocator.core.clock.Clock;

/**
 * Makes a root, and the layouts of its pools, for replicas that are to serve at once. Without it the first replica makes them, and
 * serves some 16 seconds later (with the defaults): it cannot tell a new root from one that ZooKeeper has lost, whose replicas may
 * still run somewhere. Whoever calls this promises that <b>no replica of this root runs anywhere, or has issued IDs with times that
 * the clock has yet to pass</b>; else IDs may be equal.
 */
public final class FirstStart {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private FirstStart() {}

    /**
     * Does it where the root does not exist, or is empty and never had an incarnation, as its data tells; else nothing.
     *
     * @return whether it was done
     * @throws UnreachableException when ZooKeeper does not take it
     */
    public static boolean withoutWaiting(AllocatorSettings settings) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return make(connection.store(), settings);
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    static boolean make(Store store, AllocatorSettings settings) {
        Tree tree = new Tree(settings.zookeeper().root());
        OptionalInt clusterId = settings.clusterId();
        if (!Root.beginFirst(store, tree, MetaNode.first(clusterId.isPresent() ? clusterId.getAsInt() : null))) {
            return false;
        }
        Root.Seen meta = Root.read(store, tree)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.CONFLICT, tree.meta() + " was removed right after it was made"));
        ClockJudge judge = new ClockJudge(Clock.system(), settings.maxClockSkew());
        Layouts layouts = new Layouts(store, tree, settings.terms(), judge);
        settings.schemes().stream()
                .flatMap(scheme -> scheme.pool().stream())
                .forEach(pool -> layouts.beginUnused(pool, LayoutNode.first(pool, settings.terms()), meta));
        return true;
    }
}
