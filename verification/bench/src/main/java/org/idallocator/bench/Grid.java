package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows of cells under a header, as text for a terminal or as Markdown. The first column is aligned left, the others
 * right.
 */
final class Grid {
    private final List<List<String>> rows = new ArrayList<>();

    Grid(String... header) {
        row(header);
    }

    /** Adds a row. Throws {@link IllegalArgumentException} unless there are as many cells as the header has. */
    void row(String... cells) {
        if (!rows.isEmpty() && cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(List.of(cells) + " does not fit under " + rows.get(0));
        }
        rows.add(List.of(cells));
    }

    /** The lines, each with a newline. */
    String text(boolean markdown) {
        List<List<String>> all = new ArrayList<>(rows);
        int columns = rows.get(0).size();
        if (markdown) {
            all.add(1, rule(columns));
        }
        int[] widths = IntStream.range(0, columns)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return all.stream()
                .map(row -> (markdown ? line(row) : padded(row, widths)) + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> rule(int columns) {
        List<String> rule = new ArrayList<>(Collections.nCopies(columns, "---:"));
        rule.set(0, "---");
        return rule;
    }

    private static String line(List<String> cells) {
        return "| " + cells.stream().map(String::strip).collect(Collectors.joining(" | ")) + " |";
    }

    private static String padded(List<String> cells, int[] widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> (column == 0 ? "%-" + widths[column] + "s" : "%" + (widths[column] + 2) + "s")
                        .formatted(cells.get(column)))
                .collect(Collectors.joining())
                .stripTrailing();
    }
}
