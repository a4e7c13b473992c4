package org.idallocator.dropwizard.cli.leases;

import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;

/** {@code leases show}: all of one slot. */
final class ShowCommand extends SlotCommand {
    ShowCommand(Program<?> program) {
        super(program, "show", "all of one slot", "leases show sno 17 -c config/cluster.yml");
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.openRunning(section);
    }

    @Override
    String execute(Cluster cluster, SlotArgument slot, Namespace options) {
        return ""; // the slot is shown in any case
    }
}
