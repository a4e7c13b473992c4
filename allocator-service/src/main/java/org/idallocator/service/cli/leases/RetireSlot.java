package org.idallocator.service.cli.leases;

import java.io.IOException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Confirmation;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;

/** {@code leases retire}: takes a slot out of its pool, and away from its holder. */
public record RetireSlot(ClusterView cluster, NamedSlot slot, Confirmation confirmation, Steps steps) {

    /**
     * Asks unless the person has agreed, retires the slot, and says so in whole lines.
     *
     * @throws CommandException when the slot is retired already, or the person says no
     */
    public String run(CallOptions options) throws IOException {
        requireNotRetired();
        if (options.agreed()) {
            return retired(Retiring.wanted(options.nonce()));
        }
        Holder shown = awaiting(() -> cluster.holder(slot.scheme(), slot.number()));
        Retiring retiring = Retiring.of(slot.toString(), shown, options.nonce());
        confirmation.require(retiring.question(), false);
        return retired(retiring.agreed());
    }

    private String retired(Predicate<Holder> mayLose) {
        return LeaseReports.retired(awaiting(() -> cluster.retire(slot.scheme(), slot.number(), mayLose)));
    }

    /** Looks among all slots of the scheme: a record that cannot be read is no obstacle there, nor to retiring the slot. */
    private void requireNotRetired() {
        awaiting(() -> cluster.leases(slot.scheme())).stream()
                .filter(view -> view.slot().equals(slot.name()) && view.state() == LeaseView.State.RETIRED)
                .findFirst()
                .ifPresent(view -> {
                    throw new CommandException(slot + " is retired already, and reserved through "
                            + view.reservedThrough() + "; nothing was changed");
                });
    }

    private <T> T awaiting(Supplier<T> step) {
        return steps.awaiting("ZooKeeper " + cluster.connectString() + " to answer", step);
    }
}
