package org.idallocator.service.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.NamedValues;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.cli.terminal.Texts;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.FenceRestore;

/** {@code fence-restore}: operators run it once after ZooKeeper was restored from a backup, before IDs are drawn again. */
public final class FenceRestoreCommand extends OperatorCommand {

    private static final String WINDOW = "window";
    private static final String SKEW = "skew";
    private static final String FLOOR = "floor";
    private static final FenceRestore.Options NONE = FenceRestore.Options.none();

    public FenceRestoreCommand(SectionReader<?> reader, StandardStreams streams) {
        super(
                "fence-restore",
                "Raises the floor of all slots after ZooKeeper lost data or got back old data",
                reader.withoutDefault(),
                streams);
    }

    @Override
    public void configure(Subparser subparser) {
        reader().addOption(subparser);
        subparser
                .addArgument("--" + WINDOW)
                .metavar("DURATION")
                .help(
                        "shortens the wait; with it you promise that no replica of this root, cut off or not, had a longer"
                                + " window");
        subparser
                .addArgument("--max-clock-skew")
                .dest(SKEW)
                .metavar("DURATION")
                .help("shortens the wait; with it you promise that no replica of this root had a larger maxClockSkew");
        subparser
                .addArgument("--" + FLOOR)
                .metavar("INSTANT")
                .help("the earliest that the floor may be, as named by a replica that refuses an earlier one");
        subparser.epilog("""
                examples:
                  fence-restore config/cluster.yml
                  fence-restore config/cluster.yml --window 10s --max-clock-skew 2s""");
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, Output out, Steps steps) throws IOException {
        FenceRestore.Options promises = CommandOptions.read(() -> promises(options));
        try (Ensemble ensemble = steps.awaiting(EMBEDDED, () -> Ensemble.existing(section))) {
            printFirst(ensemble, out);
            FenceRestore.Report done = steps.awaiting(
                    ensemble.description() + ", to take the new floor",
                    () -> FenceRestore.run(ensemble.settings(), promises));
            out.write(report(done, promises));
        }
    }

    private static FenceRestore.Options promises(CommandOptions options) {
        return new FenceRestore.Options(
                options.value(WINDOW, FenceRestoreCommand::duration).orElse(NONE.window()),
                options.value(SKEW, FenceRestoreCommand::duration).orElse(NONE.maxClockSkew()),
                options.value(FLOOR, FenceRestoreCommand::floor).orElse(NONE.floor()));
    }

    private static Duration duration(String text) {
        try {
            return io.dropwizard.util.Duration.parse(text).toJavaDuration();
        } catch (IllegalArgumentException e) {
            throw new UsageException("a duration must be a number and a unit, such as 10s or 500ms: " + text, e);
        }
    }

    private static Instant floor(String text) {
        String remark = "; a replica that has reserved further forgets it when it is started anew";
        return Texts.waitingUntil("--" + FLOOR, text, remark, Clock.system());
    }

    private static String report(FenceRestore.Report report, FenceRestore.Options promises) {
        String retired = report.retired().isEmpty() ? "none" : String.join(", ", report.retired());
        return new NamedValues()
                        .add("incarnation", report.oldIncarnation() + " -> " + report.incarnation())
                        .add("floor", report.floor())
                        .add("promised", promised(promises))
                        .add(
                                "retired",
                                retired
                                        + "; slots retired after the backup was made are in their pools again: retire them again")
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
