package org.idallocator.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.bench.batches.Batches;
import org.idallocator.bench.batches.Demand;
import org.idallocator.bench.batches.Fair;
import org.idallocator.bench.calls.AtCap;
import org.idallocator.bench.calls.Calls;
import org.idallocator.bench.fleet.Fleet;
import org.idallocator.bench.http.OneId;
import org.idallocator.bench.memory.Memory;
import org.idallocator.bench.overload.Overload;
import org.idallocator.bench.soak.Soak;
import org.idallocator.bench.start.Start;

/** Measures, and prints each figure beside its ratio and its goal. {@code --help} prints what there is to measure. */
public final class Bench {
    private static final int WRONG_USAGE = 2;
    private static final List<String> HELP = List.of("--help", "-h", "help");
    private static final List<Command> COMMANDS = List.of(
            new Command("calls", "[names]", "what one call costs, by JMH; the command where none is named", Calls::run),
            new Command("cap", "[names] [--seconds=60]", "what schemes give at their own limits", AtCap::run),
            new Command("http", "[names] [--jar=PATH]", "one ID of the service, beside ready bytes", OneId::run),
            new Command("batches", "[--jar=PATH]", "large answers of the service, beside ready bytes", Batches::run),
            new Command("demand", "[--jar=PATH]", "what the service gives with several slots", Demand::run),
            new Command("fair", "[--jar=PATH]", "requests for one ID beside requests for many", Fair::run),
            new Command(
                    "overload",
                    "[names] [--jar=PATH]",
                    "what is answered while others ask for too much",
                    Overload::run),
            new Command("start", "", "how soon the service answers, and commands print", Start::run),
            new Command(
                    "fleet",
                    "[--sizes=8,512] [--window=10]",
                    "how a fleet starts, and what ZooKeeper has to do",
                    Fleet::run),
            new Command("memory", "[--minutes=10] [--jar=PATH]", "what the service takes of memory", Memory::run),
            new Command(
                    "soak",
                    "[--minutes=30]",
                    "the cluster of docker-compose.yml under load while replicas are replaced",
                    Soak::run),
            new Command("goals", "", "the goals of all these; measures nothing", Goals::print));

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT); // figures have points
        int status = run(List.of(arguments), System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Does what the words say, and returns the status with which the process is to end. */
    static int run(List<String> words, PrintStream out, PrintStream err) throws Exception {
        if (words.stream().anyMatch(HELP::contains)) {
            out.print(usage());
            return 0;
        }
        Optional<Command> named = words.stream().findFirst().flatMap(Bench::named);
        try {
            named.orElse(COMMANDS.get(0)).run(named.isPresent() ? words.subList(1, words.size()) : words);
            return 0;
        } catch (UsageException e) {
            err.println(e.getMessage());
            err.println();
            err.print(usage());
            return WRONG_USAGE;
        }
    }

    private static Optional<Command> named(String name) {
        return COMMANDS.stream().filter(command -> command.name().equals(name)).findFirst();
    }

    /** The names of all commands. */
    static List<String> names() {
        return COMMANDS.stream().map(Command::name).toList();
    }

    private static String usage() {
        return """
                usage: java -jar bench.jar [command] [names] [--quick] [--markdown]

                %s

                names       beginnings of what a table's first column has, such as Drawing, Writing.gid or muid; without any,
                            everything is measured
                --quick     measures for moments, to see that everything runs: such figures say nothing
                --markdown  prints tables for a document, with the rows that have a goal

                docs/speed.md says what each command measures, and how.
                """.formatted(COMMANDS.stream()
                .map(each -> "  %-35s  %s".formatted(each.name() + " " + each.synopsis(), each.does()))
                .collect(Collectors.joining("\n")));
    }
}
