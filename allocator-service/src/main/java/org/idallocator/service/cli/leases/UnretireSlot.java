package org.idallocator.service.cli.leases;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Confirmation;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.cli.terminal.Texts;
import org.idallocator.zk.operator.ClusterView;

/** {@code leases unretire}: puts a retired slot back into its pool. */
public record UnretireSlot(ClusterView cluster, NamedSlot slot, Confirmation confirmation, Steps steps) {

    /**
     * Asks unless the person has agreed, puts the slot back, and says so in whole lines.
     *
     * @throws CommandException when the slot's last use elsewhere is no time that is allowed, or the person says no
     */
    public String run(CallOptions options) throws IOException {
        Clock clock = Clock.system();
        Optional<Instant> until = options.usedUntil(clock);
        confirmation.require(LeaseReports.unretiring(slot.toString(), until, Texts.now(clock)), options.agreed());
        Instant floor = awaiting(() -> cluster.unretire(slot.scheme(), slot.number(), until.orElse(Instant.EPOCH)));
        boolean ahead = floor.isAfter(Texts.now(clock));
        return "back in the pool" + (ahead ? "; its next IDs have times from " + floor + " on" : "") + "\n";
    }

    private <T> T awaiting(Supplier<T> step) {
        return steps.awaiting("ZooKeeper " + cluster.connectString() + " to answer", step);
    }
}
