package org.idallocator.faults.report;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The whole report as one HTML page that needs nothing else. */
final class Page {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Fault matrix</title><style>
            :root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --faint: #667; --line: #d5d9e0;
              --ids: #2a6fbb; --fenced: #f0b429; --mark: #b3261e; --good: #1a7f37; --bad: #b3261e; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --paper: #14181e; --faint: #98a2b0;
              --line: #333b47; --ids: #6cb2ff; --fenced: #8a6512; --mark: #ff8a80; --good: #56d364; --bad: #ff8a80; } }
            body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
              max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
            th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
            td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
            .scroll { overflow-x: auto; } section { border-top: 1px solid var(--line); margin-top: 2rem; }
            .good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .faint { color: var(--faint); }
            a { color: inherit; } svg { width: 100%; height: auto; min-width: 40rem; }
            svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg text.small { fill: var(--faint); font-size: 10px; }
            svg .ids { fill: var(--ids); } svg .fenced { fill: var(--fenced); opacity: .55; }
            svg .mark { stroke: var(--mark); stroke-dasharray: 3 3; } svg text.number { fill: var(--mark); text-anchor: middle; font-size: 11px; }
            </style></head><body>
            """;

    private static final String LEGEND = """
            <p class="faint">Plots: IDs that came from each replica in every 100 ms, each lane to its own peak; shaded where it refused
            because it was fenced or had no slot; dashed lines are what happened, by number. "Fenced after" is by the ticks of the IDs, from the fault on; "served
            after" is what the row says. Control rows run a naive allocator: there, duplicates must be found.</p>
            """;

    private static final String TABLE = """
            <div class="scroll"><table><tr><th>row</th><th class="n">IDs</th><th class="n">duplicates</th><th class="n">fenced after</th>
            <th class="n">served after</th><th class="n">singles served</th><th class="n">took</th><th>goals</th></tr>
            """;
    private static final String END_OF_TABLE = "</table></div>\n";

    private Page() {}

    static String of(String matrix, Instant at, List<Result> results) {
        long missed =
                results.stream().filter(result -> !result.failures().isEmpty()).count();
        return HEAD
                + filled("<h1>Fault matrix (%s)</h1>\n<p>%s: %s rows, ", matrix, at, results.size())
                + filled("%s IDs of the service compared.</p>\n", Text.count(Text.compared(results)))
                + paragraph(good(missed == 0), missed == 0 ? "Every goal was met." : missed + " rows missed a goal.")
                + LEGEND
                + TABLE
                + each(results, Page::row)
                + END_OF_TABLE
                + each(results, Page::section)
                + "</body></html>\n";
    }

    /** What is made of an element of a list and its index. */
    private interface Part {
        String of(int index, Result result);
    }

    private static String each(List<Result> results, Part part) {
        return IntStream.range(0, results.size())
                .mapToObj(i -> part.of(i, results.get(i)))
                .collect(Collectors.joining());
    }

    private static <T> String each(List<T> all, Function<T, String> part) {
        return all.stream().map(part).collect(Collectors.joining());
    }

    private static String good(boolean good) {
        return good ? "good" : "bad";
    }

    private static String paragraph(String kind, String text) {
        return filled("<p class=\"%s\">%s</p>\n", kind, text);
    }

    private static String row(int index, Result result) {
        return filled("<tr><td><a href=\"#row-%s\">%s</a></td>", index, Text.name(result))
                + each(Text.figures(result), figure -> filled("<td class=\"n\">%s</td>", figure))
                + filled(
                        "<td class=\"%s\">%s</td></tr>\n",
                        good(result.failures().isEmpty()), Text.verdict(result));
    }

    private static String section(int index, Result result) {
        String schemes = result.tallies().stream()
                .map(tally -> tally.scheme() + " " + Text.count(tally.ids()))
                .collect(Collectors.joining(", "));
        return filled("<section id=\"row-%s\"><h2>%s</h2>\n", index, Text.name(result))
                + filled("<p>%s. Session and window: %s ms.</p>\n", result.does(), result.sessionMillis())
                + "<div class=\"scroll\">" + Plot.of(result) + "</div>\n<ol>\n"
                + each(result.marks(), mark -> filled("<li>%s (%s ms)</li>\n", mark.what(), Text.count(mark.millis())))
                + "</ol>\n<div class=\"scroll\"><table><tr><th>goal</th><th>limit</th><th>measured</th></tr>\n"
                + each(
                        result.goals(),
                        goal -> filled("<tr><td>%s</td><td>%s</td>", goal.what(), goal.limit())
                                + filled("<td class=\"%s\">%s</td></tr>\n", good(goal.met()), goal.measured()))
                + END_OF_TABLE
                + filled("<p>IDs: %s. Requests: %s.</p>\n", schemes, Text.outcomes(result))
                + each(result.notes(), note -> paragraph("faint", note))
                + each(result.failures(), failure -> paragraph("bad", failure))
                + "</section>\n";
    }

    /** Markup with values, each of which is escaped, in attributes as well. */
    static String filled(String markup, Object... values) {
        return markup.formatted(Stream.of(values).map(Page::escaped).toArray());
    }

    static String escaped(Object value) {
        String text = value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : value.toString();
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
