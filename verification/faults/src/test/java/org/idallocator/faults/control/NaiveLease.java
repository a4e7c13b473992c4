package org.idallocator.faults.control;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.SnoScheme;
import org.jspecify.annotations.Nullable;

/**
 * Holds a slot by an EPHEMERAL node alone, until Curator says LOST; then takes another. A stubborn one goes on all the
 * while, and makes its node anew, without a look at who had the slot meanwhile.
 */
final class NaiveLease implements TenureSource<Generator> {
    private static final String LEASES = "/naive/leases/";
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long CHECK_NANOS = 100_000_000;

    private final CuratorFramework curator;
    private final SnoScheme scheme;
    private final int slots;
    private final boolean stubborn;
    private volatile @Nullable Tenure tenure;

    NaiveLease(String connect, int sessionMillis, int slots, boolean stubborn, SnoScheme scheme) {
        this.scheme = scheme;
        this.slots = slots;
        this.stubborn = stubborn;
        this.curator = CuratorFrameworkFactory.builder()
                .connectString(connect)
                .sessionTimeoutMs(sessionMillis)
                .connectionTimeoutMs(2_000)
                .retryPolicy(new RetryOneTime(100))
                .ensembleTracker(false)
                .build();
    }

    private record Tenure(int slot, Fence fence, Generator generator) {}

    void start() {
        curator.getConnectionStateListenable().addListener((client, state) -> {
            if (state == ConnectionState.LOST && !stubborn) {
                lost();
            }
        });
        curator.start();
        Thread thread = new Thread(this::run, "naive-lease");
        thread.setDaemon(true);
        thread.start();
    }

    private void lost() {
        Tenure held = tenure;
        tenure = null;
        if (held != null) {
            held.fence().trip(FenceReason.SESSION_LOST, "Curator says LOST");
        }
    }

    private void run() {
        while (true) {
            Tenure held = tenure;
            if (held == null) {
                claimAny();
            } else if (stubborn) {
                var unused = claim(held.slot());
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
    }

    private void claimAny() {
        for (int slot = 0; slot < slots && tenure == null; slot++) {
            if (claim(slot)) {
                Fence fence = Fence.unbounded(Clock.system(), 0, Long.MAX_VALUE);
                tenure = new Tenure(slot, fence, scheme.open(slot, fence));
            }
        }
    }

    /** False where somebody holds the slot, and where ZooKeeper is away. */
    private boolean claim(int slot) {
        try {
            curator.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(LEASES + slot, new byte[0]);
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    @Override
    public Generator current() {
        Tenure held = tenure;
        if (held == null) {
            throw new FencedException(FenceReason.NO_FREE_SLOT, "every slot is held", RETRY);
        }
        return held.generator();
    }
}
