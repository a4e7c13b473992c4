package org.idallocator.faults;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What a run says of itself: a table, what was missed, and what happened in each row; the same in JSON. */
final class Report {
    private static final String ROW = "%-40s %12s %8s %10s %10s %10s %6s  %s\n";
    private static final JsonMapper JSON =
            JsonMapper.builder().addModule(new Jdk8Module()).build();

    private Report() {}

    /** Writes {@code report.txt} and {@code results.json}. */
    static void write(Path directory, List<Result> results) {
        String rows = results.stream().map(Report::details).collect(Collectors.joining());
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("report.txt"), table(results) + rows);
            Files.writeString(directory.resolve("results.json"), JSON.writeValueAsString(results));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A table, and below it what was missed. */
    static String table(List<Result> results) {
        StringBuilder text =
                new StringBuilder(ROW.formatted("row", "IDs", "twice", "fenced", "served", "singles", "took", "goals"));
        results.forEach(result -> text.append(row(result)));
        long compared = results.stream()
                .filter(result -> !result.control())
                .mapToLong(Result::ids)
                .sum();
        text.append("%,d IDs of the service compared\n".formatted(compared));
        results.forEach(result ->
                result.failures().forEach(failure -> text.append("%s: %s\n".formatted(result.name(), failure))));
        return text.toString();
    }

    private static String row(Result result) {
        int missed = result.failures().size();
        return ROW.formatted(
                result.name(),
                "%,d".formatted(result.ids()),
                "%,d".formatted(result.duplicates()),
                millis(result.fencedMillis()),
                millis(result.servedMillis()),
                share(result),
                result.millis() / 1_000 + " s",
                missed == 0 ? "all " + result.goals().size() + " met" : "MISSED " + missed);
    }

    private static String millis(OptionalLong millis) {
        return millis.isPresent() ? "%,d ms".formatted(millis.getAsLong()) : "";
    }

    /** Of requests for one ID, those that were served; rounded down, so that one that was not is seen. */
    private static String share(Result result) {
        long all = result.singles().values().stream().mapToLong(count -> count).sum();
        double served = all == 0 ? 1 : (double) result.singles().getOrDefault("ok", 0L) / all;
        return "%.3f %%".formatted(Math.floor(served * 100_000) / 1_000);
    }

    private static String details(Result result) {
        StringBuilder text = new StringBuilder("\n%s: %s. Session and window: %d ms\n"
                .formatted(result.name(), result.does(), result.sessionMillis()));
        result.marks().forEach(mark -> text.append("%,10d ms  %s\n".formatted(mark.millis(), mark.what())));
        result.goals()
                .forEach(goal -> text.append("  %s  %s: %s, the goal is %s\n"
                        .formatted(goal.met() ? "met" : "MISSED", goal.what(), goal.measured(), goal.limit())));
        result.notes().forEach(note -> text.append("  %s\n".formatted(note)));
        result.tallies().forEach(tally -> text.append("  %s: %,d IDs\n".formatted(tally.scheme(), tally.ids())));
        return text + "  requests for one: " + result.singles() + "; for many: " + result.batches() + "\n";
    }
}
