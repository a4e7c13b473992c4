package org.idallocator.service.cli.leases;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.ClusterLeases;
import org.idallocator.service.cli.ConfigFile;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;

/** {@code leases list}: all slots that were ever used. */
final class ListCommand extends ClusterCommand {
    ListCommand(SectionReader<?> reader, Streams streams) {
        super("list", "all slots that were ever used, and who holds them", Ensemble::existing, reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument(SlotArgument.SCHEME).nargs("?").help("a scheme; without, all of them");
        super.configure(subparser);
        subparser.epilog("""
                examples:
                  leases list sno --json
                  leases list config/cluster.yml""");
    }

    @Override
    Action prepared(List<Scheme<?>> schemes, Namespace options) {
        Optional<String> name = ConfigFile.before(options, SlotArgument.SCHEME);
        List<Scheme<?>> asked =
                name.isEmpty() ? Schemes.leased(schemes) : List.of(SlotArgument.scheme(schemes, options));
        return zookeeper -> slots(zookeeper, asked, false);
    }

    /** The slots of some schemes; {@code held} leaves out those that nobody holds, and adds the tenures of the others. */
    static String slots(Queries zookeeper, List<Scheme<?>> schemes, boolean held) throws IOException {
        List<PoolView> pools = zookeeper.ask(cluster -> schemes.stream()
                .flatMap(scheme -> cluster.pool(scheme).stream())
                .toList());
        List<LeaseView> slots = pools.stream()
                .flatMap(pool -> pool.slots().stream())
                .filter(slot -> !held || slot.state() == LeaseView.State.HELD)
                .toList();
        if (zookeeper.json()) {
            return Queries.line(ClusterLeases.of(zookeeper.cluster(), pools, slots));
        }
        String none = held ? "nobody holds a slot\n" : "no slot was ever used\n";
        return (slots.isEmpty() ? none : LeaseText.slots(slots, held, now()))
                + LeaseText.strays(
                        pools.stream().mapToLong(pool -> pool.counts().strays()).sum());
    }
}
