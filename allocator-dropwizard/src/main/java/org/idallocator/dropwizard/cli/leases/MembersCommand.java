package org.idallocator.dropwizard.cli.leases;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.api.MemberList;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Table;
import org.idallocator.dropwizard.cli.Table.Column;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.MemberView;

/** {@code leases members}: the replicas. */
final class MembersCommand extends ClusterCommand {
    MembersCommand(Program<?> program) {
        super(
                program,
                "members",
                "the replicas, their versions, clocks and slots",
                "leases members config/cluster.yml");
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.openRunning(section);
    }

    @Override
    Function<Cluster, Answer> prepare(List<Scheme<?>> schemes, Namespace options) {
        return cluster -> {
            MemberList list = MemberList.of(cluster.view());
            return new Answer(list, table(list.members()));
        };
    }

    /** A line for each replica. */
    static String table(List<MemberView> members) {
        List<Column<MemberView>> columns = List.of(
                new Column<>("INSTANCE", MemberView::instance),
                new Column<>("HOST", MemberView::host),
                new Column<>("PID", MemberView::pid),
                new Column<>("URL", MemberView::url),
                new Column<>("VERSION", MemberView::version),
                new Column<>("SINCE", MemberView::since),
                new Column<>(
                        "CLOCK OFFSET",
                        member -> member.clockOffsetMillis() == null ? null : member.clockOffsetMillis() + " ms"),
                new Column<>("SLOTS", MembersCommand::slots));
        return members.isEmpty() ? "no replica is there\n" : Table.of(members, columns);
    }

    /** Of a member node that cannot be read, the reason why. */
    private static String slots(MemberView member) {
        return member.unreadable() != null
                ? member.unreadable()
                : member.slots().stream()
                        .map(held -> held.scheme() + " " + held.slot())
                        .collect(Collectors.joining(", "));
    }
}
