package org.idallocator.bench;

import static org.idallocator.bench.Goal.atLeast;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All goals, the only place of their numbers in the code. docs/speed.md has them beside the figures. */
public final class Goals {
    /** What the figure of a call's garbage is called: the benchmark's name and this. */
    public static final String BYTES = ", bytes";

    private static final String READY = "ready bytes";

    private static final List<Goal> CALLS = Stream.of(
                    atMost(1.15, "Drawing.clockDeadlineSwapAndValue", "Drawing.sno"),
                    atMost(1.0, "Drawing.clockSwapAndValue x2", "Drawing.sno x2"),
                    inTick("sno"),
                    atMost(1.5, "InTick.snoBefore", "InTick.snoBesideBatches"),
                    inTick("quarter"),
                    atMost(1.25, "InLine.pollBeside100", "InLine.pollBeside10000"),
                    atMost(1.25, "InLine.leaveBeside100", "InLine.leaveBeside10000"),
                    atMost(0.5, "Drawing.randomUuid", "Drawing.gid"),
                    atMost(0.5, "Drawing.randomUuid x2", "Drawing.gid x2"),
                    atMost(1.15, "Writing.uuid", "Writing.sno", "Writing.eightbyte", "Writing.uid60"),
                    atMost(1.0, "Writing.uuidCopied", "Writing.muid", "Writing.gid"),
                    atMost(0.7, "Reading.uuid", "Reading.sno", "Reading.eightbyte", "Reading.uid60"),
                    atMost(1.0, "Reading.uuid", "Reading.muid"),
                    atMost(1.6, "Reading.uuid", "Reading.gid"))
            .flatMap(goals -> goals)
            .toList();
    /** What one call may leave for the collector. */
    private static final List<Goal> GARBAGE = Stream.of(
                    "Drawing.sno Drawing.gid Reading.sno Reading.eightbyte Reading.uid60 Reading.muid Reading.gid"
                            .split(" "))
            .map(name -> Goal.amount(name + BYTES, 32, "bytes, the value itself"))
            .toList();

    public static final Goal AT_LIMIT = atLeast("IDs a second", 0.99, "the limit");
    public static final Goal AT_FLOOR =
            atLeast("IDs a second, where the machine or several threads are the limit", 0.85, "clock, swap and value");
    public static final Goal PROCESSOR = Goal.atMost("processor time of each thread", 0.05, "a core");

    public static final Goal ONE_16 = atLeast("answers a second, 16 connections", 0.92, READY);
    public static final Goal ONE_64 = atLeast("answers a second, 64 connections", 0.9, READY);
    public static final Goal ONE_WAITING =
            atLeast("answers a second, where callers wait for the next tick", 0.85, "ready bytes, 64 a millisecond");
    public static final Goal ONE_AT_LIMIT =
            atLeast("answers a second, where one slot holds fewer IDs than that", 0.99, "what the slot holds");
    public static final Goal ONE_P99 = Goal.atMost("99th percentile", 1.25, READY);

    public static final Goal MILLION_TEXT = Goal.atMost("a million IDs as text", 2.6, READY);
    public static final Goal MILLION_NDJSON = Goal.atMost("a million IDs as NDJSON", 3.0, READY);
    public static final Goal MILLION_JSON = Goal.atMost("a million IDs as JSON", 3.1, READY);
    public static final Goal SMALL_HEAP = atLeast("100 million IDs with a heap of 64 MiB", 1.0, "those asked for");

    public static final int SLOTS = 8;
    public static final Goal EIGHT_SLOTS = atLeast("uid60s a second", 0.99, "what " + SLOTS + " slots have");

    public static final Goal SINGLE_P99 =
            Goal.atMost("99th percentile of single IDs", 1.1, "gids, after as many waits for a tick");
    public static final Goal SINGLE_REFUSED = Goal.atMost("refused single IDs", 0.0, "all of them");
    public static final Goal MANY = atLeast("IDs a second of those who ask for many", 0.85, "the limit");

    public static final Goal FIRST_ANSWER =
            Goal.atMost("first answer", 1.3, "the empty application with a ZooKeeper, started alike");
    public static final Goal IMAGE =
            Goal.atMost("first answer of the image", 1.15, "the service with an archive, without Docker");

    /** With answers of ZooKeeper that take 120 ms. */
    public static final Goal FAR = Goal.amount("all schemes from a ZooKeeper far away", 5_500, "ms");

    public static final Goal FAR_FOUR = Goal.amount("the same with four slots of each scheme", 6_500, "ms");

    public static final Goal FIRST_ID = Goal.amount("99th percentile of first IDs", 1_000, "ms");
    public static final Goal FIRST_ID_AT_FLOOR =
            Goal.atMost("99th percentile of first IDs, where the machine is the limit", 3.0, "bare sessions");
    public static final Goal WRITES = Goal.amount("writes of a replica", 0.5, "a second");

    public static final Goal HEAP = Goal.amount("growth of the heap", 4, "MiB");
    public static final Goal RESIDENT = Goal.amount("growth of the resident size", 32, "MiB");

    public static final Goal THREADS = Goal.amount("growth of threads", 4, "threads");
    public static final Goal SOCKETS = Goal.amount("growth of sockets", 8, "sockets");
    public static final Goal TWICE = Goal.atMost("IDs that came twice", 0.0, "all of them");
    public static final Goal UNSERVED =
            Goal.atMost("requests that failed through the load balancer", 0.0, "all of them");

    public static final Goal OTHERS_P99 = Goal.amount("99th percentile of single IDs of others", 50, "ms");
    public static final Goal HEALTH_P99 = Goal.amount("99th percentile of health checks", 50, "ms");
    public static final Goal UNANSWERED =
            Goal.atMost("single IDs and health checks that were refused", 0.0, "all of them");
    public static final Goal AGAIN = Goal.amount("full service after the end", 2_000, "ms");
    /** Less than half of the time from a renewal to its deadline: a window of 10 s. */
    public static final Goal RENEWAL = Goal.amount("time between two renewals", 4_000, "ms");

    /** Those about holders, of which there are 200 at most, and a replica's own. */
    public static final Goal ASKED = Goal.amount("requests to ZooKeeper", 250, "a second");

    private static final Map<String, List<Goal>> ALL = new LinkedHashMap<>();

    static {
        ALL.put("calls", Stream.concat(CALLS.stream(), GARBAGE.stream()).toList());
        ALL.put("cap", List.of(AT_LIMIT, AT_FLOOR, PROCESSOR));
        ALL.put("http", List.of(ONE_16, ONE_64, ONE_WAITING, ONE_AT_LIMIT, ONE_P99));
        ALL.put("batches", List.of(MILLION_TEXT, MILLION_NDJSON, MILLION_JSON, SMALL_HEAP));
        ALL.put("demand", List.of(EIGHT_SLOTS));
        ALL.put("fair", List.of(SINGLE_P99, SINGLE_REFUSED, MANY));
        ALL.put("overload", List.of(OTHERS_P99, HEALTH_P99, UNANSWERED, AGAIN, RENEWAL, ASKED));
        ALL.put("start", List.of(FIRST_ANSWER, IMAGE, FAR, FAR_FOUR));
        ALL.put("fleet", List.of(FIRST_ID, FIRST_ID_AT_FLOOR, WRITES));
        ALL.put("memory", List.of(HEAP, RESIDENT));
        ALL.put("soak", List.of(HEAP, RESIDENT, THREADS, SOCKETS, TWICE, UNSERVED));
    }

    private Goals() {}

    private static Stream<Goal> atMost(double limit, String of, String... figures) {
        return Stream.of(figures).map(figure -> Goal.atMost(figure, limit, of));
    }

    /** Of one thread, two and four. */
    private static Stream<Goal> inTick(String ids) {
        return Stream.of("", " x2", " x4")
                .map(threads ->
                        Goal.atMost("InTick." + ids + "After" + threads, 1.25, "InTick." + ids + "Before" + threads));
    }

    /**
     * The goals of a benchmark's time, by its name and, where it is measured on several threads, {@code " x2"} or
     * {@code " x4"}.
     */
    public static List<Goal> ofCall(String figure) {
        return CALLS.stream().filter(goal -> goal.figure().equals(figure)).toList();
    }

    /** The goals of a benchmark's garbage, one or none. */
    public static List<Goal> ofGarbage(String figure) {
        return GARBAGE.stream()
                .filter(goal -> goal.figure().equals(figure + BYTES))
                .toList();
    }

    /** On how many threads a benchmark is measured: one, two where it is a floor, and those that a goal asks for. */
    public static IntStream threads(String benchmark) {
        return IntStream.of(1, 2, 4).filter(threads -> {
            String figure = benchmark + " x" + threads;
            return threads == 1
                    || figure.equals("Drawing.swapAndValue x2")
                    || CALLS.stream()
                            .anyMatch(goal ->
                                    goal.figure().equals(figure) || goal.of().equals(figure));
        });
    }

    /** The commands that have goals. */
    static List<String> commands() {
        return List.copyOf(ALL.keySet());
    }

    static void print(Arguments arguments) {
        for (String command : commands()) {
            System.out.print(table(command, arguments.markdown()));
            System.out.println();
        }
    }

    /** The goals of a command. Figures that have the same goal share a row. */
    static String table(String command, boolean markdown) {
        Map<String, String> figures = ALL.getOrDefault(command, List.of()).stream()
                .collect(Collectors.toMap(
                        Goal::said, Goal::figure, (one, other) -> one + "; " + other, LinkedHashMap::new));
        Grid grid = new Grid(command, "goal");
        figures.forEach((said, of) -> grid.row(of, said));
        return grid.text(markdown);
    }
}
