package org.idallocator.service.cli.leases;

import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.ConfigFile;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.embedded.Ensemble;

/** {@code leases show}: the slots of a scheme that are held, or all of one slot. */
final class ShowCommand extends ClusterCommand {
    ShowCommand(SectionReader<?> reader, Streams streams) {
        super("show", "the held slots of a scheme, or all of one slot", Ensemble::existing, reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument(SlotArgument.SCHEME).help("a scheme with slots");
        subparser.addArgument(SlotArgument.SLOT).nargs("?").help("a slot; without, all that are held");
        super.configure(subparser);
        subparser.epilog("""
                examples:
                  leases show sno --json
                  leases show sno 17 -c config/cluster.yml""");
    }

    @Override
    Action prepared(List<Scheme<?>> schemes, Namespace options) {
        Scheme<?> scheme = SlotArgument.scheme(schemes, options);
        if (ConfigFile.before(options, SlotArgument.SLOT).isEmpty()) {
            return zookeeper -> ListCommand.slots(zookeeper, List.of(scheme), true);
        }
        SlotArgument slot = SlotArgument.of(schemes, options);
        return zookeeper -> zookeeper.done("", slot);
    }
}
