package org.idallocator.dropwizard.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.NothingRestored;
import org.idallocator.zk.settings.Terms;

/**
 * {@code fence-restore}: operators run it once after ZooKeeper was restored from a backup, before IDs are drawn again.
 */
public final class FenceRestoreCommand extends AllocatorCommand {
    private static final String NEW_ROOT = "--new-root";
    private static final String NOTHING_RESTORED = "--nothing-restored";

    public FenceRestoreCommand(Program<?> program) {
        super(
                program.withoutDefault(),
                "fence-restore",
                "Raises the floor of all slots after ZooKeeper lost data or got back old data. Options are your promise about all"
                        + " replicas of this root.",
                "fence-restore config/cluster.yml --window 10s --max-clock-skew 2s");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser.addArgument(NEW_ROOT).action(Arguments.storeTrue()).help("nobody ever used it: begin it");
        addTime(subparser, NOTHING_RESTORED, "no backup came back since: do not wait");
        addLongest(subparser, "--window", "no replica had a longer one");
        addLongest(subparser, "--max-clock-skew", "no replica had a larger one");
        addTime(subparser, "--floor", "the earliest");
    }

    private static void addTime(Subparser subparser, String name, String help) {
        subparser.addArgument(name).metavar("TIME").type(ValueType.time()).help(help);
    }

    private static void addLongest(Subparser subparser, String name, String help) {
        subparser.addArgument(name).metavar("SPAN").type(ValueType.duration()).help(help);
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        requireOnePromise(options);
        Instant nothingRestored = options.get("nothing_restored");
        if (options.getBoolean("new_root")) {
            beginNew(section, out, waiting);
        } else if (nothingRestored != null) {
            promiseNothingRestored(section, nothingRestored, out, waiting);
        } else {
            restore(section, options, out, waiting);
        }
    }

    private static void requireOnePromise(Namespace options) {
        boolean newRoot = options.getBoolean("new_root");
        boolean nothingRestored = options.get("nothing_restored") != null;
        boolean others = Stream.of("window", "max_clock_skew", "floor").anyMatch(name -> options.get(name) != null);
        if ((newRoot && nothingRestored) || ((newRoot || nothingRestored) && others)) {
            throw CommandException.misuse(NEW_ROOT + " and " + NOTHING_RESTORED + " take no other option");
        }
    }

    private static void beginNew(AllocatorSection section, Output out, Waiting waiting) {
        waiting.begin(EMBEDDED_ZOOKEEPER);
        try (ZooKeeperInUse zookeeper = ZooKeeperInUse.openWithoutPromise(section)) {
            announce(zookeeper, out);
            waiting.begin(zookeeper.description() + ", to take the new root");
            if (!FirstStart.withoutWaiting(zookeeper.settings())) {
                throw new CommandException(zookeeper.settings().zookeeper().root()
                        + " is not empty, or was used before; nothing was changed");
            }
            out.write("The root is begun, and replicas serve immediately. Run this for no root that was ever used.\n");
        }
    }

    private static void promiseNothingRestored(AllocatorSection section, Instant since, Output out, Waiting waiting) {
        waiting.begin(EMBEDDED_ZOOKEEPER);
        try (ZooKeeperInUse zookeeper = ZooKeeperInUse.openExisting(section)) {
            announce(zookeeper, out);
            waiting.begin(zookeeper.description() + ", to take the promise");
            NothingRestored.promise(zookeeper.settings(), since);
            out.write(
                    "Promised: no backup came back since " + since + ". Where one did, IDs may be equal. Replicas that"
                            + " waited for nothing else claim their slots within seconds.\n");
        }
    }

    private static void restore(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        Optional<Duration> window = Optional.ofNullable(options.get("window"));
        Optional<Duration> maxClockSkew = Optional.ofNullable(options.get("max_clock_skew"));
        Instant floor = Optional.<Instant>ofNullable(options.get("floor")).orElse(Instant.EPOCH);
        FenceRestore.Options promises =
                CommandException.asMisuse(() -> new FenceRestore.Options(window, maxClockSkew, floor));
        waiting.begin(EMBEDDED_ZOOKEEPER);
        try (ZooKeeperInUse zookeeper = ZooKeeperInUse.openExisting(section)) {
            announce(zookeeper, out);
            waiting.begin(zookeeper.description() + ", to take the new floor");
            out.write(report(FenceRestore.run(zookeeper.settings(), promises), promises));
        }
    }

    private static String report(FenceRestore.Report report, FenceRestore.Options promises) {
        String retired = report.retired().isEmpty() ? "none" : String.join(", ", report.retired());
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("incarnation", report.from() + " -> " + report.incarnation());
        values.put("floor", report.floor());
        values.put("counted", counted(report.counted()));
        values.put("promised", promised(promises));
        values.put(
                "retired",
                retired + "; slots retired after the backup was made are in their pools again: retire them again");
        return Table.details(values)
                + "Running replicas fence what they hold and claim again; from now on, no ID of a slot is earlier than the floor.\n";
    }

    private static String counted(Terms terms) {
        return "replicas with a window of at most " + terms.window().toMillis() + " ms and a maxClockSkew of at most "
                + terms.maxClockSkew().toMillis() + " ms; one that had more, and was cut off, may issue equal IDs";
    }

    private static String promised(FenceRestore.Options promises) {
        if (promises.window().isEmpty() && promises.maxClockSkew().isEmpty()) {
            return "nothing; if a replica had a longer window since the backup was made, run this again with --window";
        }
        return Stream.concat(
                        promises.window().stream().map(window -> "no window above " + window.toMillis() + " ms"),
                        promises.maxClockSkew().stream()
                                .map(skew -> "no maxClockSkew above " + skew.toMillis() + " ms"))
                .collect(Collectors.joining(", "));
    }
}
