package org.idallocator.bench.start;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Program;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;

/**
 * How long programs take from the start of their process to the first answered request, with fresh data. The service
 * stands beside an empty Dropwizard application with a ZooKeeper that is started in the same way: the jar alone, and
 * with an archive of classes. They are started in turn, so that whatever disturbs the machine disturbs all. Then, how
 * long commands take until their first line, and how long the service takes with a ZooKeeper that is far away.
 */
public final class Start {
    private static final int ROUNDS = 21;
    private static final int QUICK = 2;
    private static final String ID = "/ids/sno";

    private final int rounds;
    private final Scratch scratch;
    private final Path archive;

    private Start(int rounds, Scratch scratch) {
        this.rounds = rounds;
        this.scratch = scratch;
        this.archive = scratch.path("empty.jsa");
    }

    public static void run(Arguments arguments) {
        Programs.require(Programs.SERVICE, Programs.EMPTY, Programs.LAUNCHER);
        try (Scratch scratch = new Scratch();
                Table table = new Table(arguments, "ms to the first answer", "fastest", "median", "slowest")) {
            int rounds = arguments.quick() ? QUICK : ROUNDS;
            new Start(rounds, scratch).measure(table);
            new Commands(scratch, rounds, table).measure();
            new Far(scratch, arguments.quick(), table).measure();
        }
    }

    private void measure(Table table) {
        makeArchives();
        Optional<Image> image = Image.built(scratch);
        Map<String, Started> contestants = new LinkedHashMap<>();
        contestants.put(
                "jar: service",
                () -> millis(Programs.service(Programs.SERVICE, scratch).until(ID)));
        contestants.put("jar: empty", () -> millis(Programs.empty(scratch)));
        contestants.put(
                "archive: service", () -> millis(Programs.launched(scratch).until(ID)));
        contestants.put(
                "archive: empty",
                () -> millis(Programs.empty(scratch, "-Xshare:auto", "-XX:SharedArchiveFile=" + archive)));
        image.ifPresent(built -> contestants.put("image: service", built));
        Map<String, List<Double>> millis = inTurn(contestants);
        compare(millis, "jar", table);
        compare(millis, "archive", table);
        image.ifPresent(built -> {
            row(table, "image: service", figures(millis, "image: service"));
            table.judged(Goals.IMAGE, Ratio.of(all(millis, "image: service"), all(millis, "archive: service")));
            row(table, "  with docker run itself", built.withDocker());
        });
    }

    /**
     * Makes what both need: the launcher makes that of the service; the empty application learns from one start and one
     * request.
     */
    private void makeArchives() {
        Child.run(
                scratch,
                List.of(
                        "env",
                        "ID_ALLOCATOR_ARCHIVE=now",
                        "JAVA=" + Programs.jdk("java"),
                        Programs.LAUNCHER.toString(),
                        "--help"));
        millis(Programs.empty(scratch, "-XX:TieredStopAtLevel=1", "-XX:ArchiveClassesAtExit=" + archive));
    }

    /** With nothing left of an earlier start but the archives. */
    private double millis(Program program) {
        try (Server server = Server.start(scratch, program)) {
            return server.millisToAnswer();
        }
    }

    private Map<String, List<Double>> inTurn(Map<String, Started> contestants) {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            System.err.println("round " + round + " of " + rounds);
            contestants.forEach((name, contestant) ->
                    millis.computeIfAbsent(name, any -> new ArrayList<>()).add(contestant.millis()));
        }
        return millis;
    }

    private static void compare(Map<String, List<Double>> millis, String way, Table table) {
        String service = way + ": service";
        String empty = way + ": empty";
        row(table, service, figures(millis, service));
        table.judged(Goals.FIRST_ANSWER, Ratio.of(all(millis, service), all(millis, empty)));
        row(table, empty, figures(millis, empty));
    }

    private static Figures figures(Map<String, List<Double>> millis, String name) {
        return new Figures(all(millis, name));
    }

    private static List<Double> all(Map<String, List<Double>> millis, String name) {
        return Objects.requireNonNull(millis.get(name));
    }

    /** Adds a row of milliseconds. */
    static void row(Table table, String name, Figures figures) {
        table.figures(name, "%.0f|%.0f|%.0f", figures.least(), figures.median(), figures.most());
    }

    /** Starts a program, and ends it. */
    interface Started {
        /** How many milliseconds there were from the start of the process to the first answered request. */
        double millis();
    }
}
