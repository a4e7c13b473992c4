package org.idallocator.service.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.FenceRestore;

/** {@code fence-restore}: operators run it once after ZooKeeper was restored from a backup, before IDs are drawn again. */
public final class FenceRestoreCommand extends AllocatorCommand {
    private static final String WINDOW = "window";
    private static final String SKEW = "max_clock_skew";
    private static final String FLOOR = "floor";
    private static final FenceRestore.Options NONE = FenceRestore.Options.none();

    public FenceRestoreCommand(SectionReader<?> reader, Streams streams) {
        super(
                "fence-restore",
                "Raises the floor of all slots after ZooKeeper lost data or got back old data.",
                reader.withoutDefault(),
                streams);
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser
                .addArgument("--" + WINDOW)
                .type(FenceRestoreCommand::duration)
                .setDefault(NONE.window())
                .help("no replica had a longer one");
        subparser
                .addArgument("--max-clock-skew")
                .type(FenceRestoreCommand::duration)
                .setDefault(NONE.maxClockSkew())
                .help("no replica had a larger one");
        subparser
                .addArgument("--" + FLOOR)
                .type(new TimeArgument("; a replica that has reserved further forgets it when it is started anew"))
                .setDefault(NONE.floor())
                .help("the earliest");
        subparser.epilog("""
                A shorter window or a smaller skew shortens the wait, and is your promise
                about all replicas that this root ever had. A replica that refuses a floor
                names the earliest.

                examples:
                  fence-restore config/cluster.yml --window 10s --max-clock-skew 2s
                  fence-restore config/cluster.yml""");
    }

    private static Duration duration(ArgumentParser parser, Argument argument, String text)
            throws ArgumentParserException {
        try {
            return io.dropwizard.util.Duration.parse(text).toJavaDuration();
        } catch (IllegalArgumentException e) {
            throw new ArgumentParserException(
                    "must be a number and a unit, such as 10s or 500ms: " + text, e, parser, argument);
        }
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        FenceRestore.Options promises = CommandException.read(
                () -> new FenceRestore.Options(options.get(WINDOW), options.get(SKEW), options.get(FLOOR)));
        try (Ensemble ensemble = waiting.during(EMBEDDED, () -> Ensemble.existing(section))) {
            announce(ensemble, out);
            FenceRestore.Report done = waiting.during(
                    ensemble.description() + ", to take the new floor",
                    () -> FenceRestore.run(ensemble.settings(), promises));
            out.write(report(done, promises));
        }
    }

    private static String report(FenceRestore.Report report, FenceRestore.Options promises) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("incarnation", report.oldIncarnation() + " -> " + report.incarnation());
        values.put("floor", report.floor());
        values.put("promised", promised(promises));
        values.put(
                "retired",
                (report.retired().isEmpty() ? "none" : String.join(", ", report.retired()))
                        + "; slots retired after the backup was made are in their pools again: retire them again");
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
