package org.idallocator.zk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;

/** Looks at what an allocator with these settings would meet, without claiming anything. */
public final class Doctor {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Store store;
    private final Tree tree;
    private final AllocatorSettings settings;
    private final Clock clock;
    private final List<Finding> findings = new ArrayList<>();

    private Doctor(Store store, AllocatorSettings settings, Clock clock) {
        this.store = store;
        this.tree = new Tree(settings.zookeeper().root());
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * One thing that was looked at.
     *
     * @param ok whether it is as it should be
     * @param what was looked at
     * @param detail what was found
     */
    public record Finding(boolean ok, String what, String detail) {}

    /** Everything, in the order in which an allocator meets it; ends with the first thing that makes the rest moot. */
    public static List<Finding> examine(AllocatorSettings settings) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            return new Doctor(connection.store(), settings, Clock.system()).examine();
        } catch (StoreException e) {
            return List.of(new Finding(false, "ZooKeeper", String.valueOf(e.getMessage())));
        }
    }

    private List<Finding> examine() {
        say(
                true,
                "ZooKeeper",
                "session 0x" + Long.toHexString(store.session()) + ", timeout "
                        + store.sessionTimeout().toMillis() + " ms");
        try {
            say(
                    true,
                    "meta",
                    new Root(store, tree, OptionalInt.empty()).look().node().toString());
            clock();
            settings.schemes().forEach(this::pool);
        } catch (FencedException | StoreException e) {
            say(false, tree.root(), String.valueOf(e.getMessage()));
        }
        return findings;
    }

    private void clock() {
        ClockJudge judge = new ClockJudge(clock, settings.maxClockSkew());
        judge.ask(store, tree.root() + "/doctor-" + UUID.randomUUID());
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
        int held = store.children(tree.leases(pool.get())).size();
        say(held < pool.get().size(), scheme.name(), held + " of " + pool.get().size() + " slots are held");
    }

    private void say(boolean ok, String what, String detail) {
        findings.add(new Finding(ok, what, detail));
    }
}
