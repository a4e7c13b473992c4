package org.idallocator.service.cli.leases;

import java.io.IOException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Confirmation;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;

/** {@code leases retire}: takes a slot out of its pool, and away from its holder. */
public record RetireSlot(ClusterView cluster, NamedSlot slot, Confirmation confirmation) {

    /**
     * Asks unless the person has agreed, retires the slot, and says so in whole lines.
     *
     * @throws CommandException when the slot is retired already, or the person says no
     */
    public String run(CallOptions options) throws IOException {
        requireNotRetired();
        if (options.agreed()) {
            return LeaseReports.retired(cluster.retire(slot.scheme(), slot.number(), Retiring.wanted(options.nonce())));
        }
        Holder shown = cluster.holder(slot.scheme(), slot.number());
        Retiring retiring = Retiring.of(slot.toString(), shown, options.nonce());
        confirmation.require(retiring.question(), false);
        return LeaseReports.retired(cluster.retire(slot.scheme(), slot.number(), retiring.agreed()));
    }

    /** Looks among all slots of the scheme: a record that cannot be read is no obstacle there, nor to retiring the slot. */
    private void requireNotRetired() {
        cluster.leases(slot.scheme()).stream()
                .filter(view -> view.slot().equals(slot.name()) && view.state() == LeaseView.State.RETIRED)
                .findFirst()
                .ifPresent(view -> {
                    throw new CommandException(slot + " is retired already, and reserved through "
                            + view.reservedThrough() + "; nothing was changed");
                });
    }
}
