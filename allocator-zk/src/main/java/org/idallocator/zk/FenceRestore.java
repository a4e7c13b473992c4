package org.idallocator.zk;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.core.clock.Clock;

/**
 * What an operator runs after ZooKeeper was restored from a backup or wiped: records may then say less than what was
 * issued. It raises the floor of all slots above anything that a replica may have reserved until now, and changes the
 * incarnation, so that every running replica fences what it holds and claims anew.
 */
public final class FenceRestore {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private FenceRestore() {}

    /**
     * What was done.
     *
     * @param oldIncarnation {@code none} when there was no meta node
     * @param incarnation the new one
     * @param floor no ID with an earlier time is issued from now on
     */
    public record Report(String oldIncarnation, String incarnation, Instant floor) {}

    /**
     * Does it.
     *
     * @throws UnreachableException when ZooKeeper does not take it
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when this machine's clock is too far from
     *     ZooKeeper's, because the floor would be, too; nothing was changed
     */
    public static Report run(AllocatorSettings settings) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return restore(connection.store(), settings, Clock.system());
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    static Report restore(Store store, AllocatorSettings settings, Clock clock) {
        Tree tree = new Tree(settings.zookeeper().root());
        store.ensure(tree.root());
        store.sync(tree.root());
        long micros = judgedMicros(store, tree, settings, clock);
        Optional<Store.Node> node = store.read(tree.meta());
        Optional<MetaNode> old = node.map(n -> Json.read(tree.meta(), n.data(), MetaNode.class));
        MetaNode raised = new MetaNode(
                MetaNode.VERSION,
                UUID.randomUUID().toString(),
                old.map(MetaNode::clusterId).orElse(null),
                floor(settings, micros, old));
        store.multi(node.map(found -> replacement(store, tree, found.version(), raised))
                .orElseGet(() -> Root.creation(tree, raised)));
        return new Report(old.map(MetaNode::incarnation).orElse("none"), raised.incarnation(), raised.floor());
    }

    private static List<Store.Op> replacement(Store store, Tree tree, int version, MetaNode raised) {
        List<Store.Op> ops = new ArrayList<>();
        ops.add(new Store.Op.Write(tree.meta(), Json.write(raised), version));
        store.children(tree.meta()).forEach(old -> ops.add(new Store.Op.Delete(tree.incarnation(old), -1)));
        ops.add(new Store.Op.Create(tree.incarnation(raised.incarnation()), "", false));
        return ops;
    }

    private static long judgedMicros(Store store, Tree tree, AllocatorSettings settings, Clock clock) {
        ClockJudge judge = new ClockJudge(clock, settings.maxClockSkew());
        judge.ask(store, tree.root() + "/fence-restore-" + UUID.randomUUID());
        return judge.requireMicros();
    }

    /** Above now + window + skew: a running replica has reserved no more, by a clock that is off by no more. */
    private static Instant floor(AllocatorSettings settings, long micros, Optional<MetaNode> old) {
        Instant reserved = Instant.EPOCH
                .plus(micros, ChronoUnit.MICROS)
                .plus(settings.window())
                .plus(settings.maxClockSkew())
                .truncatedTo(ChronoUnit.SECONDS)
                .plusSeconds(2);
        return old.map(MetaNode::floor).filter(reserved::isBefore).orElse(reserved);
    }
}
