package org.idallocator.faults.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results as people read them on a terminal. */
public final class Text {
    private static final String ROW = "%-40s %12s %8s %10s %10s %10s %6s  %s%n";

    private Text() {}

    /** A table, and below it what was missed. */
    public static String of(List<Result> results) {
        String table = results.stream()
                .map(Text::row)
                .collect(Collectors.joining(
                        "", ROW.formatted("row", "IDs", "twice", "fenced", "served", "singles", "took", "goals"), ""));
        return table + count(compared(results)) + " IDs of the service compared\n"
                + results.stream()
                        .flatMap(result -> result.failures().stream().map(f -> name(result) + ": " + f + "\n"))
                        .collect(Collectors.joining());
    }

    /** How many IDs of the service there are. */
    static long compared(List<Result> results) {
        return results.stream()
                .filter(result -> !result.control())
                .mapToLong(Result::ids)
                .sum();
    }

    private static String row(Result result) {
        return ROW.formatted(Stream.of(List.of(name(result)), figures(result), List.of(verdict(result)))
                .flatMap(List::stream)
                .toArray());
    }

    /** What stands between the name of a row and its verdict. */
    static List<String> figures(Result result) {
        return List.of(
                count(result.ids()),
                count(result.duplicates()),
                millis(result.fencedMillis()),
                millis(result.servedMillis()),
                share(result),
                result.millis() / 1_000 + " s");
    }

    static String name(Result result) {
        return result.control() ? "CONTROL: " + result.name() : result.name();
    }

    static String verdict(Result result) {
        return result.failures().isEmpty()
                ? "all " + result.goals().size() + " met"
                : "MISSED " + result.failures().size();
    }

    /** With digits in groups of three. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String millis(OptionalLong millis) {
        return millis.isPresent() ? count(millis.getAsLong()) + " ms" : "";
    }

    static String share(Result result) {
        return String.format(Locale.ROOT, "%.3f %%", Math.floor(result.served() * 100_000) / 1_000);
    }

    /** Requests by how they ended, over all replicas, the most frequent first. */
    static String outcomes(Result result) {
        Map<String, Long> counts = new TreeMap<>();
        for (Result.Series track : result.tracks()) {
            track.singles().forEach((name, count) -> counts.merge(name, count, Long::sum));
            track.batches().forEach((name, count) -> counts.merge(name, count, Long::sum));
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(entry -> count(entry.getValue()) + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
