package org.idallocator.zk;

import java.time.Duration;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once, when a replica serves, which nodes strangers may write, and logs it where there are any. Has a thread of its own,
 * because a root with many slots takes a while. An embedded ZooKeeper, which only this machine reaches, is not looked at.
 */
final class StrangersWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StrangersWatch.class);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final IdAllocator allocator;
    private final ZooKeeperSettings zookeeper;
    private final Thread thread = new Thread(this::run, "id-allocator-strangers");

    StrangersWatch(IdAllocator allocator, ZooKeeperSettings zookeeper) {
        this.allocator = allocator;
        this.zookeeper = zookeeper;
        thread.setDaemon(true);
    }

    void start() {
        if (!zookeeper.namesEmbedded()) {
            thread.start();
        }
    }

    private void run() {
        try {
            if (awaitedToServe()) {
                allocator.cluster().strangers().inWords().ifPresent(this::tell);
            }
        } catch (UnreachableException e) {
            LOG.debug("which nodes strangers may write is not known", e);
        } catch (InterruptedException e) {
            LOG.debug("the replica was closed", e);
        }
    }

    /** False when the replica was closed. One that does not serve may have the same nodes. */
    private boolean awaitedToServe() throws InterruptedException {
        try {
            allocator.awaitReady(PATIENCE);
            return true;
        } catch (FencedException e) {
            LOG.debug("does not serve yet", e);
            return e.reason() != FenceReason.CLOSED;
        }
    }

    private void tell(String words) {
        LOG.warn(
                "{}; whoever writes them can have replicas issue equal IDs: {}",
                words,
                Clients.hasIdentity(zookeeper)
                        ? "all replicas have credentials; take the nodes from strangers: setAcl -R in zkCli.sh"
                        : "give all replicas credentials (zookeeper.auth), and take the nodes from strangers: setAcl -R in zkCli.sh");
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
