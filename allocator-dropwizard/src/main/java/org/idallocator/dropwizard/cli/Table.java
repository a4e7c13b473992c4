package org.idallocator.dropwizard.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Texts that people read in columns. */
public final class Table {
    private static final String GAP = "  ";

    private Table() {}

    /**
     * One column of a table.
     *
     * @param name the heading
     * @param value the cell of a row; null leaves the cell empty, and a time is cut to the millisecond
     */
    public record Column<T>(String name, Function<T, @Nullable Object> value) {
        private List<String> cells(List<T> rows) {
            List<String> cells = Stream.concat(Stream.of(name), rows.stream().map(this::text))
                    .toList();
            int width = cells.stream().mapToInt(String::length).reduce(1, Math::max);
            return cells.stream().map(("%-" + width + "s")::formatted).toList();
        }

        private String text(T row) {
            Object said = value.apply(row);
            return Objects.toString(said instanceof Instant time ? time.truncatedTo(ChronoUnit.MILLIS) : said, "");
        }
    }

    /** One line with the headings, and one line for each row. */
    public static <T> String of(List<T> rows, List<Column<T>> columns) {
        List<List<String>> cells =
                columns.stream().map(column -> column.cells(rows)).toList();
        return IntStream.rangeClosed(0, rows.size())
                .mapToObj(row -> cells.stream().map(column -> column.get(row)).collect(Collectors.joining(GAP)))
                .map(line -> line.stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    /** One line for each name and its value, the values below one another. Null and empty values are left out. */
    public static String details(Map<String, ? extends @Nullable Object> values) {
        int longest = values.keySet().stream().mapToInt(String::length).reduce(0, Math::max);
        String format = "%-" + (longest + 1) + "s %s\n";
        return values.entrySet().stream()
                .filter(entry -> !Objects.toString(entry.getValue(), "").isEmpty())
                .map(entry -> format.formatted(entry.getKey() + ":", entry.getValue()))
                .collect(Collectors.joining());
    }
}
