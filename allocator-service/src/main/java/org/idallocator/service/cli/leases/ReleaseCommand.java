package org.idallocator.service.cli.leases;

import java.util.List;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.CommandException;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.Holder;

/** {@code leases release}: takes a slot away from its holder, who claims another. */
final class ReleaseCommand extends ClusterCommand {
    ReleaseCommand(SectionReader<?> reader, Streams streams) {
        super("release", "takes a slot away from its holder, who claims another", Ensemble::existing, reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        SlotArgument.addTo(subparser);
        super.configure(subparser);
        subparser.addArgument("--nonce").help("the only tenure that may lose the slot");
        subparser.epilog("""
                examples:
                  leases release sno 17 -c config/cluster.yml""");
    }

    @Override
    Action prepared(List<Scheme<?>> schemes, Namespace options) {
        SlotArgument slot = SlotArgument.of(schemes, options);
        Optional<String> nonce = Optional.ofNullable(options.getString("nonce"));
        return zookeeper -> zookeeper.done(released(zookeeper, slot, nonce), slot);
    }

    private static String released(Queries zookeeper, SlotArgument slot, Optional<String> nonce) {
        String tenure = nonce.orElseGet(() -> holder(zookeeper, slot));
        return switch (zookeeper.ask(cluster -> cluster.takeAway(slot.scheme(), slot.number(), tenure))) {
            case DONE -> "taken away from tenure " + tenure + "\n";
            case GONE_ALREADY -> "tenure " + tenure + " had left the slot already\n";
            case NOT_ITS_OWN ->
                throw new CommandException(
                        "nobody holds the slot, and tenure " + tenure + " was not the last to hold it");
            case HELD_BY_ANOTHER ->
                throw new CommandException("the slot is held by another tenure than " + tenure + "; it was left alone");
        };
    }

    private static String holder(Queries zookeeper, SlotArgument slot) {
        Holder holder = zookeeper.ask(cluster -> cluster.holder(slot.scheme(), slot.number()));
        return holder.lease()
                .map(LeaseNode::nonce)
                .orElseThrow(() -> new CommandException(holder.inWords() + " holds the slot"));
    }
}
