package org.idallocator.dropwizard.cli.leases;

import java.util.List;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.ClusterLeases;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Table;
import org.idallocator.dropwizard.cli.Table.Column;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.znode.LeaseNode;
import org.jspecify.annotations.Nullable;

/** {@code leases list}: all slots that were ever used. */
final class ListCommand extends ClusterCommand {
    ListCommand(Program<?> program) {
        super(
                program,
                "list",
                "all slots that were ever used, and who holds them",
                "leases list sno --json",
                "leases list config/cluster.yml");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser.addArgument(SCHEME).nargs("?").help("a scheme; without, all of them");
        super.addArguments(subparser);
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.openRunning(section);
    }

    @Override
    Function<Cluster, Answer> prepare(List<Scheme<?>> schemes, Namespace options) {
        String name = options.getString(SCHEME);
        List<Scheme<?>> asked =
                name == null || Program.isFile(name) ? Schemes.leased(schemes) : List.of(scheme(schemes, options));
        return cluster -> {
            List<PoolView> pools = asked.stream()
                    .flatMap(scheme -> cluster.view().pool(scheme).stream())
                    .toList();
            ClusterLeases leases = ClusterLeases.of(cluster.view(), pools);
            return new Answer(leases, table(leases.leases()));
        };
    }

    /** A line for each slot, with the names of tenures, by which {@code release} and {@code retire} know them. */
    static String table(List<LeaseView> slots) {
        List<Column<LeaseView>> columns = List.of(
                new Column<>("SCHEME", LeaseView::scheme),
                new Column<>("SLOT", LeaseView::slot),
                new Column<>("STATE", LeaseView::state),
                new Column<>("HOLDER", view -> ofLease(view, LeaseNode::instance)),
                new Column<>("HOST", view -> ofLease(view, LeaseNode::host)),
                new Column<>("PID", view -> ofLease(view, LeaseNode::pid)),
                new Column<>("SINCE", LeaseView::since),
                new Column<>("RESERVED THROUGH", ListCommand::reservedThrough),
                new Column<>("TIME LEFT", ClusterCommand::timeLeft),
                new Column<>("NONCE", view -> ofLease(view, LeaseNode::nonce)));
        return slots.isEmpty() ? "no slot was ever used\n" : Table.of(slots, columns);
    }

    private static @Nullable Object ofLease(LeaseView view, Function<LeaseNode, Object> value) {
        return view.lease() == null ? null : value.apply(view.lease());
    }

    /** Of a slot that cannot be read, the reason why. */
    private static @Nullable Object reservedThrough(LeaseView view) {
        return view.unreadable() == null ? view.reservedThrough() : view.unreadable();
    }
}
