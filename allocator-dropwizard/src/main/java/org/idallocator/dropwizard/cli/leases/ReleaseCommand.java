package org.idallocator.dropwizard.cli.leases;

import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.dropwizard.api.RevocationReport;
import org.idallocator.dropwizard.cli.CommandException;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.znode.LeaseNode;

/** {@code leases release}: takes a slot away from its holder, who claims another. */
final class ReleaseCommand extends SlotCommand {
    ReleaseCommand(Program<?> program) {
        super(
                program,
                "release",
                "takes a slot away from its holder, who claims another",
                "leases release sno 17 -c config/cluster.yml");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        super.addArguments(subparser);
        subparser.addArgument("--nonce").help("the only tenure that may lose the slot");
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.openExisting(section);
    }

    @Override
    String execute(Cluster cluster, SlotArgument slot, Namespace options) {
        String tenure = Optional.ofNullable(options.getString("nonce")).orElseGet(() -> holder(cluster, slot));
        RevocationReport report =
                RevocationReport.of(cluster.view().revoke(slot.scheme(), slot.number(), tenure), tenure);
        if (!report.left()) {
            throw new CommandException(report.line());
        }
        return report.line() + "\n";
    }

    /** The tenure that holds the slot. Where its lease has gone already, the tenure that may take the slot up again. */
    private static String holder(Cluster cluster, SlotArgument slot) {
        Holder holder = cluster.view().holder(slot.scheme(), slot.number());
        Optional<String> cutOff =
                holder.equals(Holder.nobody()) ? cluster.view().tenure(slot.scheme(), slot.number()) : Optional.empty();
        return holder.lease()
                .map(LeaseNode::nonce)
                .or(() -> cutOff)
                .orElseThrow(() -> new CommandException(holder.inWords() + " holds the slot"));
    }
}
