package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of text under a header, for a terminal or as Markdown. The first column is aligned left, the others right. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... header) {
        row(header);
    }

    /** Adds a row of as many cells as the header has. */
    void row(String... cells) {
        rows.add(List.of(cells));
    }

    void print(boolean markdown) {
        int columns = rows.get(0).size();
        int[] widths = IntStream.range(0, columns)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        if (markdown) {
            System.out.println(line(rows.get(0)));
            System.out.println(line(rule(columns)));
            rows.subList(1, rows.size()).forEach(row -> System.out.println(line(row)));
        } else {
            rows.forEach(row -> System.out.println(padded(row, widths)));
        }
    }

    private static List<String> rule(int columns) {
        List<String> rule = new ArrayList<>(Collections.nCopies(columns, "---:"));
        rule.set(0, "---");
        return rule;
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String padded(List<String> cells, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> (column == 0 ? "%-" + widths[column] + "s" : "%" + (widths[column] + 2) + "s")
                        .formatted(cells.get(column)))
                .collect(Collectors.joining())
                .stripTrailing();
    }
}
