package org.idallocator.service.cli.leases;

import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Holder;

/** {@code leases release}: takes a slot away from its holder. */
public record ReleaseSlot(ClusterView cluster, NamedSlot slot, Steps steps) {

    /**
     * Takes the slot away, and says so in whole lines.
     *
     * @throws CommandException when nobody holds the slot, or another tenure than the one that is meant
     */
    public String run(CallOptions options) {
        Optional<String> nonce = options.nonce();
        String tenure = nonce.orElseGet(this::holdersNonce);
        return switch (awaiting(() -> cluster.takeAway(slot.scheme(), slot.number(), tenure))) {
            case DONE -> "taken away from tenure " + tenure + "\n";
            case GONE_ALREADY -> "tenure " + tenure + " had left the slot already\n";
            case NOT_ITS_OWN ->
                throw new CommandException(
                        "nobody holds the slot, and tenure " + tenure + " was not the last to hold it");
            case HELD_BY_ANOTHER ->
                throw new CommandException("the slot is held by another tenure than " + tenure + "; it was left alone");
        };
    }

    private String holdersNonce() {
        Holder holder = awaiting(() -> cluster.holder(slot.scheme(), slot.number()));
        return holder.lease()
                .map(LeaseNode::nonce)
                .orElseThrow(() -> new CommandException(holder.inWords() + " holds the slot"));
    }

    private <T> T awaiting(Supplier<T> step) {
        return steps.awaiting("ZooKeeper " + cluster.connectString() + " to answer", step);
    }
}
