package org.idallocator.bench.start;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.bench.process.Figures;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;

/**
 * How long programs take from the start of their process to the first answered request, with fresh data. The service stands
 * beside an empty Dropwizard application that is started in the same way: the jar alone, and with an archive of classes. They
 * are started in turn, so that whatever disturbs the machine disturbs all. Then, how long commands take until their first line.
 *
 * <p>{@code --quick} measures two starts of each, to see that everything runs.
 */
public final class Start {
    private static final double OVER_EMPTY = 1.3;
    private static final double IN_IMAGE_MILLIS = 1_500;
    private static final int ROUNDS = 11;
    private static final int QUICK = 2;

    private final int rounds;
    private final Scratch scratch;
    private final Servers servers;

    private Start(int rounds, Scratch scratch) {
        this.rounds = rounds;
        this.scratch = scratch;
        this.servers = new Servers(scratch);
    }

    public static void run(List<String> arguments) {
        Programs.require(Programs.SERVICE, Programs.EMPTY, Programs.LAUNCHER);
        try (Scratch scratch = new Scratch()) {
            new Start(arguments.contains("--quick") ? QUICK : ROUNDS, scratch).measure();
        }
    }

    private void measure() {
        servers.makeArchives();
        Optional<Image> image = Image.built(scratch);
        Map<String, Started> contestants = new LinkedHashMap<>();
        contestants.put("jar: service", servers::service);
        contestants.put("jar: empty", servers::empty);
        contestants.put("archive: service", servers::serviceByLauncher);
        contestants.put("archive: empty", servers::emptyWithArchive);
        image.ifPresent(built -> contestants.put("image: service", built));
        Map<String, Figures> figures = inTurn(contestants);
        System.out.printf(
                "%n%-28s %8s %8s %8s %7s   goal%n", "ms to the first answer", "fastest", "median", "slowest", "ratio");
        print(figures, "jar");
        print(figures, "archive");
        image.ifPresent(built -> {
            Figures inside = Objects.requireNonNull(figures.get("image: service"));
            line("image: service", inside, " ".repeat(7), Figures.judged(inside.median(), IN_IMAGE_MILLIS));
            line("  with docker run itself", built.withDocker(), " ".repeat(7), "");
        });
        Commands.print(scratch, rounds);
    }

    private Map<String, Figures> inTurn(Map<String, Started> contestants) {
        Map<String, List<Double>> millis = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            contestants.forEach((name, contestant) ->
                    millis.computeIfAbsent(name, any -> new ArrayList<>()).add(contestant.millis()));
        }
        Map<String, Figures> figures = new LinkedHashMap<>();
        millis.forEach((name, of) -> figures.put(name, new Figures(of)));
        return figures;
    }

    private static void print(Map<String, Figures> figures, String way) {
        Figures service = Objects.requireNonNull(figures.get(way + ": service"));
        Figures empty = Objects.requireNonNull(figures.get(way + ": empty"));
        double ratio = service.median() / empty.median();
        line(way + ": service", service, "%7.2f".formatted(ratio), Figures.judged(ratio, OVER_EMPTY) + " x empty");
        line(way + ": empty", empty, " ".repeat(7), "");
    }

    private static void line(String name, Figures figures, String ratio, String goal) {
        System.out.println("%-28s %8.0f %8.0f %8.0f %s   %s"
                .formatted(name, figures.least(), figures.median(), figures.most(), ratio, goal)
                .stripTrailing());
    }

    /** Starts a program, and ends it. */
    interface Started {
        /** How many milliseconds there were from the start of the process to the first answered request. */
        double millis();
    }
}
