package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a command prints: rows of figures, and beside them the ratio with the lowest and the highest of any round, the
 * goal, and whether the ratio meets the goal. Several goals of a row stand one after the other, and so do their ratios.
 * As Markdown, which people read to learn whether goals are met, rows without a goal are left out. The table is printed
 * when closed, so that what was measured is not lost where a later measurement fails.
 */
public final class Table implements AutoCloseable {
    private static final List<String> JUDGEMENT = List.of("ratio", "lowest to highest", "goal", "");

    private final boolean markdown;
    private final List<String> header;
    private final List<Row> rows = new ArrayList<>();

    /** Figures, and what was judged of them: each time a ratio, its range, a goal and whether it is met. */
    private record Row(List<String> figures, List<Judgement> judgements) {

        boolean hasGoal() {
            return judgements.stream().anyMatch(each -> !each.goal.isEmpty());
        }

        List<String> cells() {
            boolean met = hasGoal() && judgements.stream().allMatch(each -> each.met.equals("met"));
            return joined(
                    figures,
                    List.of(
                            all(Judgement::ratio),
                            all(Judgement::range),
                            all(Judgement::goal),
                            met ? "met" : all(Judgement::met)));
        }

        /** One part of all judgements, with a dash for what is empty where not all are. */
        String all(Function<Judgement, String> part) {
            List<String> parts = judgements.stream().map(part).toList();
            return parts.stream().allMatch(String::isEmpty)
                    ? ""
                    : parts.stream().map(each -> each.isEmpty() ? "-" : each).collect(Collectors.joining("; "));
        }
    }

    private record Judgement(String ratio, String range, String goal, String met) {}

    /**
     * An empty table.
     *
     * @param header what is measured, and the names of its figures
     */
    public Table(Arguments arguments, String... header) {
        markdown = arguments.markdown();
        this.header = List.of(header);
    }

    /** Begins a row: a name, and as many figures as the header names, in their order. */
    public Table row(String name, String... figures) {
        List<String> cells = joined(List.of(name), Arrays.asList(figures));
        if (cells.size() != header.size()) {
            throw new IllegalArgumentException(cells + " are not the " + header.size() + " cells of a row");
        }
        rows.add(new Row(cells, new ArrayList<>()));
        return this;
    }

    /** The same, where {@code formats} has the format of each figure, with bars between them. */
    public Table figures(String name, String formats, Object... figures) {
        return row(name, formats.formatted(figures).split("\\|", -1));
    }

    /** Adds a ratio for which there is no goal. */
    public Table compared(Ratio ratio) {
        return add(ratio, "", "");
    }

    /** Adds a ratio and its goal, and whether it is met. */
    public Table judged(Goal goal, Ratio ratio) {
        return add(ratio, goal.said(), goal.isMet(ratio.median()) ? "met" : "MISSED");
    }

    /** The same for a figure that may come to the goal's amount. */
    public Table judged(Goal goal, double figure) {
        return judged(goal, Ratio.of(figure, goal.amount()));
    }

    /** Adds a ratio and a goal that cannot be met for a reason that the figures do not tell. */
    public Table excused(Goal goal, Ratio ratio, String reason) {
        return add(ratio, goal.said(), reason);
    }

    /** A row whose figures this machine cannot give, for a reason. */
    public Table notMeasured(String name, Goal goal, String reason) {
        String[] figures = new String[header.size() - 1];
        Arrays.fill(figures, "");
        row(name, figures);
        last().judgements.add(new Judgement("", "", goal.said(), reason));
        return this;
    }

    private Row last() {
        return rows.get(rows.size() - 1);
    }

    private Table add(Ratio ratio, String goal, String met) {
        last().judgements.add(new Judgement(ratio.said(), ratio.range(), goal, met));
        return this;
    }

    private static List<String> joined(List<String> one, List<String> other) {
        List<String> all = new ArrayList<>(one);
        all.addAll(other);
        return all;
    }

    /** The lines so far. */
    String text() {
        Grid grid = new Grid(joined(header, JUDGEMENT).toArray(String[]::new));
        rows.stream()
                .filter(row -> !markdown || row.hasGoal())
                .forEach(row -> grid.row(row.cells().toArray(String[]::new)));
        return grid.text(markdown);
    }

    @Override
    public void close() {
        System.out.print(text());
    }
}
