package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at what an allocator with these settings would meet, without claiming anything. */
public final class Doctor {
    private static final Logger LOG = LoggerFactory.getLogger(Doctor.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final AllocatorSettings settings;
    private final ClockJudge judge;
    private final List<Finding> findings = new ArrayList<>();

    private Doctor(OperatorAccess access) {
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.settings = access.settings();
        this.judge = access.judge();
    }

    /**
     * One thing that was looked at.
     *
     * @param ok whether it is as it should be
     * @param what was looked at
     * @param detail what was found
     */
    public record Finding(boolean ok, String what, String detail) {}

    /**
     * Looks at everything in the order in which an allocator meets it. Ends with the first finding that makes the rest moot.
     */
    public static List<Finding> examine(AllocatorSettings settings) {
        return examine(settings, Clock.system());
    }

    /** The same, by the caller's clock. */
    public static List<Finding> examine(AllocatorSettings settings, Clock clock) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return examine(new OperatorAccess(connection.store(), clock, settings));
        } catch (StoreException e) {
            LOG.debug("ZooKeeper cannot be examined", e);
            return List.of(new Finding(false, "ZooKeeper", String.valueOf(e.getMessage())));
        }
    }

    /** The same, on a store that is open. */
    static List<Finding> examine(OperatorAccess access) {
        return new Doctor(access).examine();
    }

    private List<Finding> examine() {
        say(
                true,
                "ZooKeeper",
                "session 0x" + Long.toHexString(store.session()) + ", timeout "
                        + store.sessionTimeout().toMillis() + " ms");
        try {
            if (meta()) {
                clock();
                settings.schemes().forEach(this::pool);
            }
        } catch (FencedException e) {
            LOG.debug("a replica would serve nothing", e);
            say(false, tree.root(), String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            LOG.debug("the examination ended early", e);
            say(false, tree.root(), String.valueOf(Fencing.of(e).getMessage()));
        }
        return findings;
    }

    /** False when there is nothing below the root to look at. */
    private boolean meta() {
        Optional<Root.Seen> meta = Root.read(nodes);
        if (meta.isPresent()) {
            say(
                    true,
                    "meta",
                    "incarnation " + meta.get().node().incarnation() + ", floor "
                            + meta.get().floor());
            return true;
        }
        if (!store.children(tree.root()).isEmpty()) {
            throw Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist");
        }
        say(
                false,
                "root",
                tree.root() + " does not exist or is empty: the first replica makes it, and serves "
                        + settings.terms().ahead().toSeconds() + " s later; if there were replicas, it is misspelt, or"
                        + " ZooKeeper lost its data");
        return false;
    }

    private void clock() {
        judge.ask(nodes);
        long skew = judge.skewMicros() / 1_000;
        boolean ok = Math.abs(skew) <= settings.maxClockSkew().toMillis();
        say(
                ok,
                "clock",
                skew + " ms from ZooKeeper's, allowed are "
                        + settings.maxClockSkew().toMillis() + " ms");
    }

    private void pool(Scheme<?> scheme) {
        Optional<SlotPool> pool = scheme.pool();
        if (pool.isEmpty()) {
            say(true, scheme.name(), "needs no lease");
            return;
        }
        layout(scheme.name(), pool.get());
        Set<String> unavailable = new Pools(nodes).held(pool.get());
        int held = unavailable.size();
        unavailable.addAll(retired(pool.get()));
        String retired = unavailable.size() > held ? ", " + (unavailable.size() - held) + " are retired" : "";
        say(
                unavailable.size() < pool.get().size(),
                scheme.name(),
                held + " of " + pool.get().size() + " slots are held" + retired);
    }

    /** A layout that keeps a replica from serving is a bad finding; a pool that nobody has used is none. */
    private void layout(String scheme, SlotPool pool) {
        String path = tree.layout(pool);
        Optional<Layouts.Seen> found = Layouts.read(nodes, pool);
        if (found.isPresent()) {
            try {
                new Layouts(nodes, settings.terms())
                        .requireAgreed(pool, found.get().node());
                say(
                        true,
                        scheme,
                        path + " is as configured, floor " + found.get().floor());
            } catch (FencedException e) {
                LOG.debug("a replica would not serve {}", scheme, e);
                say(false, scheme, String.valueOf(e.getMessage()));
            }
        } else if (nodes.exists(tree.records(pool))) {
            say(
                    false,
                    scheme,
                    path + " does not exist although the pool was used: the first replica makes it, and serves "
                            + Terms.largest().ahead().toSeconds() + " s later");
        }
    }

    private List<String> retired(SlotPool pool) {
        String records = tree.records(pool);
        return new Pools(nodes)
                .retiredOf(records).stream()
                        .map(path -> path.substring(records.length() + 1))
                        .filter(name -> Pools.isSlot(pool, name))
                        .toList();
    }

    private void say(boolean ok, String what, String detail) {
        findings.add(new Finding(ok, what, detail));
    }
}
