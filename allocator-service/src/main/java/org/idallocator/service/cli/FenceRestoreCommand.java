package org.idallocator.service.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.FenceRestore;

/** {@code fence-restore}: operators run it once after ZooKeeper was restored from a backup, before IDs are drawn again. */
public final class FenceRestoreCommand extends AllocatorCommand {
    private static final FenceRestore.Options NONE = FenceRestore.Options.none();

    public FenceRestoreCommand(Program<?> program) {
        super(
                program.withoutDefault(),
                "fence-restore",
                "Raises the floor of all slots after ZooKeeper lost data or got back old data. A shorter window or smaller skew"
                        + " is your promise about all replicas that this root ever had.",
                "fence-restore config/cluster.yml --window 10s --max-clock-skew 2s");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        addLongest(subparser, "--window", NONE.window(), "no replica had a longer one");
        addLongest(subparser, "--max-clock-skew", NONE.maxClockSkew(), "no replica had a larger one");
        subparser
                .addArgument("--floor")
                .type(ValueType.time())
                .setDefault(NONE.floor())
                .help("the earliest; a replica that has reserved further says so");
    }

    private static void addLongest(Subparser subparser, String name, Duration allowed, String help) {
        subparser
                .addArgument(name)
                .type(ValueType.duration())
                .setDefault(allowed)
                .help(help);
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        FenceRestore.Options promises = CommandException.read(() ->
                new FenceRestore.Options(options.get("window"), options.get("max_clock_skew"), options.get("floor")));
        waiting.begin(EMBEDDED);
        try (Ensemble ensemble = Ensemble.existing(section)) {
            announce(ensemble, out);
            waiting.begin(ensemble.description() + ", to take the new floor");
            out.write(report(FenceRestore.run(ensemble.settings(), promises), promises));
        }
    }

    private static String report(FenceRestore.Report report, FenceRestore.Options promises) {
        String retired = report.retired().isEmpty() ? "none" : String.join(", ", report.retired());
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("incarnation", report.from() + " -> " + report.incarnation());
        values.put("floor", report.floor());
        values.put("promised", promised(promises));
        values.put(
                "retired",
                retired + "; slots retired after the backup was made are in their pools again: retire them again");
        return Table.details(values)
                + "Running replicas fence what they hold and claim anew; no ID has an earlier time from now on.\n";
    }

    private static String promised(FenceRestore.Options promises) {
        if (promises.window().equals(NONE.window()) && promises.maxClockSkew().equals(NONE.maxClockSkew())) {
            return "nothing: the floor is above what any allowed configuration can have reserved";
        }
        return "no replica of this root had a window above " + promises.window().toMillis()
                + " ms or a maxClockSkew above " + promises.maxClockSkew().toMillis()
                + " ms; one that had, and was cut off, may issue equal IDs";
    }
}
