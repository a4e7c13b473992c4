package org.idallocator.dropwizard.cli.leases;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Table;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.Relayout;

/** {@code leases relayout}: changes a pool's layout to the configured one. */
final class RelayoutCommand extends ClusterCommand {
    RelayoutCommand(Program<?> program) {
        super(
                program,
                "relayout",
                "changes a pool's layout to the configured one",
                "leases relayout sno --fence -c config/cluster.yml");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser.addArgument(SCHEME).help("a scheme with slots");
        super.addArguments(subparser);
        subparser
                .addArgument("--fence")
                .action(Arguments.storeTrue())
                .help("even if replicas hold slots; they lose them");
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.openExisting(section);
    }

    @Override
    Function<Cluster, Answer> prepare(List<Scheme<?>> schemes, Namespace options) {
        Scheme<?> scheme = scheme(schemes, options);
        return cluster -> {
            Relayout.Report done = Relayout.run(cluster.settings(), scheme, options.getBoolean("fence"));
            return new Answer(done, report(scheme, done));
        };
    }

    private static String report(Scheme<?> scheme, Relayout.Report done) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("from", done.from());
        values.put("to", done.to());
        values.put("floor", done.floor());
        values.put("fenced", done.fenced().isEmpty() ? "nobody held a slot" : String.join(", ", done.fenced()));
        values.put("retired", slots(done.retired(), "still, by their numbers; those may mean other IDs now"));
        values.put("dropped", slots(done.dropped(), "which were retired and are no slots of this layout"));
        return Table.details(values) + "Replicas configured like this serve when the floor is past; no ID of "
                + scheme.name() + " has an earlier time from now on.\n";
    }

    private static String slots(List<String> names, String remark) {
        return names.isEmpty() ? "none" : "slots " + String.join(", ", names) + ", " + remark;
    }
}
