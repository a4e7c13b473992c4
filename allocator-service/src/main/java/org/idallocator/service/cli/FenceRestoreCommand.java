package org.idallocator.service.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.FenceRestore;

/** {@code fence-restore}: to be run once after ZooKeeper was restored from a backup, before IDs are drawn again. */
public final class FenceRestoreCommand extends OperatorCommand {

    private static final Duration FARTHEST = Duration.ofDays(1);

    public FenceRestoreCommand(SectionReader<?> reader) {
        super("fence-restore", "Raises the floor of all slots after ZooKeeper lost data or got back old data", reader);
    }

    @Override
    public void configure(Subparser subparser) {
        reader().addArgument(subparser);
        subparser
                .addArgument("--window")
                .metavar("DURATION")
                .help("shortens the wait: your word that no replica of this root, cut off or not, had a longer window");
        subparser
                .addArgument("--max-clock-skew")
                .dest("skew")
                .metavar("DURATION")
                .help("shortens the wait: your word that no replica of this root had a larger maxClockSkew");
        subparser
                .addArgument("--floor")
                .metavar("INSTANT")
                .help("the floor at least, as a replica names it that refuses a lower one");
    }

    @Override
    void run(AllocatorSection section, Namespace namespace, PrintStream out) {
        FenceRestore.Options options = options(namespace);
        try (Ensemble ensemble = Ensemble.of(section)) {
            FenceRestore.Report report = FenceRestore.run(ensemble.settings(), options);
            out.println("incarnation: " + report.oldIncarnation() + " -> " + report.incarnation());
            out.println("floor:       " + report.floor());
            out.println("promised:    " + promised(options));
            out.println("retired:     " + (report.retired().isEmpty() ? "none" : String.join(", ", report.retired()))
                    + "; slots retired after the backup was made are in their pools again: retire them again");
            out.println("Running replicas fence what they hold and claim anew; no ID has an earlier time from now on.");
        }
    }

    private static FenceRestore.Options options(Namespace namespace) {
        FenceRestore.Options none = FenceRestore.Options.none();
        try {
            return new FenceRestore.Options(
                    given(namespace, "window", FenceRestoreCommand::duration).orElse(none.window()),
                    given(namespace, "skew", FenceRestoreCommand::duration).orElse(none.maxClockSkew()),
                    given(namespace, "floor", FenceRestoreCommand::instant).orElse(none.floor()));
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()));
        }
    }

    private static <T> Optional<T> given(Namespace namespace, String name, Function<String, T> read) {
        return Optional.ofNullable(namespace.getString(name)).map(read);
    }

    private static Duration duration(String text) {
        try {
            return io.dropwizard.util.Duration.parse(text).toJavaDuration();
        } catch (IllegalArgumentException e) {
            throw new CommandException("a duration must be a number and a unit, such as 10s or 500ms: " + text);
        }
    }

    /** A floor is never lowered again: one that is far off keeps everybody from serving for as long. */
    private static Instant instant(String text) {
        Instant floor;
        try {
            floor = Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new CommandException("an instant must be as in 2026-01-31T12:00:00Z: " + text);
        }
        Instant latest =
                Instant.EPOCH.plus(Clock.system().micros(), ChronoUnit.MICROS).plus(FARTHEST);
        if (floor.isAfter(latest)) {
            throw new CommandException("--floor must be at most a day ahead: " + text
                    + "; a replica that has reserved further forgets it when it is started anew");
        }
        return floor;
    }

    private static String promised(FenceRestore.Options options) {
        return options.equals(new FenceRestore.Options(
                        FenceRestore.Options.none().window(),
                        FenceRestore.Options.none().maxClockSkew(),
                        options.floor()))
                ? "nothing: the floor is above what any allowed configuration can have reserved"
                : "no replica of this root had a window above "
                        + options.window().toMillis() + " ms or a maxClockSkew above "
                        + options.maxClockSkew().toMillis() + " ms; one that had, and was cut off, may issue equal IDs";
    }
}
