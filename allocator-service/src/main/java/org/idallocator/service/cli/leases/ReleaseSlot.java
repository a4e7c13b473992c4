package org.idallocator.service.cli.leases;

import java.util.Optional;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Holder;

/** {@code leases release}: takes a slot away from its holder. */
public record ReleaseSlot(ClusterView cluster, NamedSlot slot) {

    /**
     * Takes the slot away, and says so in whole lines.
     *
     * @throws CommandException when nobody holds the slot, or another tenure than the one that is meant
     */
    public String run(CallOptions options) {
        Optional<String> nonce = options.nonce();
        String tenure = nonce.orElseGet(this::holdersNonce);
        return switch (cluster.takeAway(slot.scheme(), slot.number(), tenure)) {
            case DONE -> "taken away from tenure " + tenure + "\n";
            case GONE_ALREADY -> "tenure " + tenure + " had left the slot already\n";
            case HELD_BY_ANOTHER ->
                throw new CommandException("the slot is held by another tenure than " + tenure + "; it was left alone");
        };
    }

    private String holdersNonce() {
        Holder holder = cluster.holder(slot.scheme(), slot.number());
        return holder.lease()
                .map(LeaseNode::nonce)
                .orElseThrow(() -> new CommandException(holder.inWords() + " holds the slot"));
    }
}
