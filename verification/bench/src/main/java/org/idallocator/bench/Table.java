package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What a command prints: rows of figures, and beside them the ratio with the lowest and the highest of any round, the goal, and
 * whether the ratio meets the goal. Each further goal of a row has a line of its own below. The table is printed when closed, so
 * that what was measured is not lost where a later measurement fails.
 */
public final class Table implements AutoCloseable {
    private static final List<String> JUDGEMENT = List.of("ratio", "lowest to highest", "goal", "");

    private final boolean markdown;
    private final int columns;
    private final Grid grid;
    private List<String> pending = List.of();
    private String name = "";

    /**
     * An empty table.
     *
     * @param header what is measured, and the names of its figures
     */
    public Table(Arguments arguments, String... header) {
        markdown = arguments.markdown();
        columns = header.length;
        grid = new Grid(joined(List.of(header), JUDGEMENT).toArray(String[]::new));
    }

    /** Begins a row: a name, and as many figures as the header names, in their order. */
    public Table row(String newName, String... figures) {
        flush();
        List<String> cells = joined(List.of(newName), Arrays.asList(figures));
        if (cells.size() != columns) {
            throw new IllegalArgumentException(cells + " are not the " + columns + " cells of a row");
        }
        name = newName;
        pending = cells;
        return this;
    }

    /** The same, where {@code formats} has the format of each figure, with bars between them. */
    public Table figures(String newName, String formats, Object... figures) {
        return row(newName, formats.formatted(figures).split("\\|", -1));
    }

    /** Adds a ratio for which there is no goal. */
    public Table compared(Ratio ratio) {
        return add(ratio.said(), ratio.range(), "", "");
    }

    /** Adds a ratio and its goal, and whether it is met. */
    public Table judged(Goal goal, Ratio ratio) {
        if (pending.isEmpty()) {
            pending = new ArrayList<>(Collections.nCopies(columns, ""));
            pending.set(0, goal.figure().equals(name) ? name : "  " + goal.figure());
        }
        return add(ratio.said(), ratio.range(), goal.said(), goal.isMet(ratio.median()) ? "met" : "MISSED");
    }

    /** The same for a figure that may come to the goal's amount. */
    public Table judged(Goal goal, double figure) {
        return judged(goal, Ratio.of(figure, goal.amount()));
    }

    /** Adds a ratio and a goal that cannot be met for a reason that the figures do not tell. */
    public Table excused(Goal goal, Ratio ratio, String reason) {
        return add(ratio.said(), ratio.range(), goal.said(), reason);
    }

    private Table add(String... judgement) {
        grid.row(joined(pending, List.of(judgement)).toArray(String[]::new));
        pending = List.of();
        return this;
    }

    private void flush() {
        if (!pending.isEmpty()) {
            add("", "", "", "");
        }
    }

    private static List<String> joined(List<String> one, List<String> other) {
        List<String> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    /** The lines so far. */
    String text() {
        flush();
        return grid.text(markdown);
    }

    @Override
    public void close() {
        System.out.print(text());
    }
}
