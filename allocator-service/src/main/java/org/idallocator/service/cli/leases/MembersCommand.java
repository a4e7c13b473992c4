package org.idallocator.service.cli.leases;

import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.api.Fleet;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.embedded.Ensemble;

/** {@code leases members}: the replicas. */
final class MembersCommand extends ClusterCommand {
    MembersCommand(SectionReader<?> reader, Streams streams) {
        super("members", "the replicas, their versions, clocks and slots", Ensemble::existing, reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser.epilog("""
                examples:
                  leases members config/cluster.yml""");
    }

    @Override
    Action prepared(List<Scheme<?>> schemes, Namespace options) {
        return zookeeper -> {
            Fleet fleet = zookeeper.ask(Fleet::of);
            return zookeeper.json() ? Queries.line(fleet) : LeaseText.members(fleet.members(), now());
        };
    }
}
