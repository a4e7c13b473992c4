package org.idallocator.service.cli;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What people read in columns. */
public final class Table {
    private static final String GAP = "  ";

    private Table() {}

    /**
     * One column.
     *
     * @param name what stands above it
     * @param right whether its texts end below one another, as numbers do
     * @param value what it says of a row; nothing for null
     */
    public record Column<T>(String name, boolean right, Function<T, @Nullable String> value) {
        /** A column of texts, which begin below one another. */
        public static <T> Column<T> of(String name, Function<T, @Nullable String> value) {
            return new Column<>(name, false, value);
        }

        private List<String> cells(List<T> rows) {
            List<String> cells = Stream.concat(Stream.of(name), rows.stream().map(this::text))
                    .toList();
            int width = cells.stream().mapToInt(String::length).reduce(1, Math::max);
            String format = "%" + (right ? "" : "-") + width + "s";
            return cells.stream().map(format::formatted).toList();
        }

        private String text(T row) {
            String text = value.apply(row);
            return text == null ? "" : text;
        }
    }

    /** A line with the names of the columns, and one for each row. */
    public static <T> String of(List<T> rows, List<Column<T>> columns) {
        List<List<String>> cells =
                columns.stream().map(column -> column.cells(rows)).toList();
        return IntStream.rangeClosed(0, rows.size())
                .mapToObj(row -> cells.stream().map(column -> column.get(row)).collect(Collectors.joining(GAP)))
                .map(line -> line.stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    /** A line for each name and its value, unless that is null, with the values below one another. */
    public static String details(Map<String, ? extends @Nullable Object> values) {
        int longest = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        return values.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .map(entry -> (entry.getKey() + ":"
                                + " ".repeat(longest + 1 - entry.getKey().length())) + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
