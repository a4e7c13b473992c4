package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * What an operator's command works with. A command is no replica: it joins nothing and claims nothing.
 *
 * @param store ZooKeeper
 * @param clock this machine's clock
 * @param settings the configuration that the operator gave
 */
public record OperatorAccess(Store store, Clock clock, AllocatorSettings settings) {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /**
     * Runs a command on a connection that is opened for the command and closed after it.
     *
     * @throws UnreachableException when ZooKeeper does not answer within 15 s, or does not accept what is written, or the
     *     chroot of the connect string does not exist
     */
    static <T> T connected(AllocatorSettings settings, Function<OperatorAccess, T> command) {
        try (Connection connection = Connection.open(settings.zookeeper(), PATIENCE)) {
            Chroot.require(connection.store(), settings.zookeeper().connect());
            return command.apply(new OperatorAccess(connection.store(), Clock.system(), settings));
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    Nodes nodes() {
        return Nodes.below(settings.zookeeper().root(), store);
    }

    ClockJudge judge() {
        return new ClockJudge(clock, settings.maxClockSkew());
    }

    Layouts layouts() {
        return new Layouts(nodes(), settings.terms());
    }
}
