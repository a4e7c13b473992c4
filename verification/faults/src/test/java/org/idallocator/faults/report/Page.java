package org.idallocator.faults.report;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.idallocator.faults.scene.Goal;

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
            </style></head><body>""";

    private final Markup html = new Markup();

    private Page() {}

    static String of(String matrix, Instant at, List<Result> results) {
        return new Page().write(matrix, at, results);
    }

    private String write(String matrix, Instant at, List<Result> results) {
        long ids = results.stream()
                .filter(result -> !result.control())
                .mapToLong(Result::ids)
                .sum();
        long missed =
                results.stream().filter(result -> !result.failures().isEmpty()).count();
        html.raw(HEAD).element("h1", "Fault matrix (" + matrix + ")");
        html.element("p", at + ": " + results.size() + " rows, " + Text.count(ids) + " IDs of the service compared.");
        html.element(
                "p", missed == 0 ? "Every goal was met." : missed + " rows missed a goal.", "class", good(missed == 0));
        html.raw(LEGEND);
        table(results);
        for (int i = 0; i < results.size(); i++) {
            row(i, results.get(i));
        }
        return html.raw("</body></html>").toString();
    }

    private static final String LEGEND = """
            <p class="faint">Plots: IDs that came from each replica in every 100 ms, each lane to its own peak; shaded where it refused
            because it was fenced or had no slot; dashed lines are what happened, by number. "Fenced after" is by the ticks of the IDs, from the fault on; "served
            after" is what the row says. Control rows run a naive allocator: there, duplicates must be found.</p>""";

    private static String good(boolean good) {
        return good ? "good" : "bad";
    }

    private void table(List<Result> results) {
        html.raw("<div class=\"scroll\"><table><tr><th>row</th><th class=\"n\">IDs</th><th class=\"n\">duplicates</th>"
                + "<th class=\"n\">fenced after</th><th class=\"n\">served after</th><th class=\"n\">singles served</th>"
                + "<th class=\"n\">took</th><th>goals</th></tr>");
        for (int i = 0; i < results.size(); i++) {
            Result result = results.get(i);
            html.open("tr")
                    .open("td")
                    .element("a", Text.name(result), "href", "#row-" + i)
                    .close("td");
            number(Text.count(result.ids()));
            number(Text.count(result.duplicates()));
            number(Text.millis(result.fencedMillis()));
            number(Text.millis(result.servedMillis()));
            number(Text.share(result));
            number(result.millis() / 1_000 + " s");
            html.element(
                    "td", Text.verdict(result), "class", good(result.failures().isEmpty()));
            html.close("tr");
        }
        html.raw("</table></div>");
    }

    private void number(String text) {
        html.element("td", text, "class", "n");
    }

    private void row(int index, Result result) {
        html.open("section", "id", "row-" + index).element("h2", Text.name(result));
        html.element("p", result.does() + ". Session and window: " + result.sessionMillis() + " ms.");
        html.open("div", "class", "scroll").raw(Plot.of(result)).close("div");
        html.open("ol").raw("");
        result.marks().forEach(mark -> html.element("li", mark.what() + " (" + Text.count(mark.millis()) + " ms)"));
        html.close("ol");
        html.raw("<div class=\"scroll\"><table><tr><th>goal</th><th>limit</th><th>measured</th></tr>");
        result.goals().forEach(this::goal);
        html.raw("</table></div>");
        String schemes = result.tallies().stream()
                .map(tally -> tally.scheme() + " " + Text.count(tally.ids()))
                .collect(Collectors.joining(", "));
        html.element("p", "IDs: " + schemes + ". Requests: " + Text.outcomes(result) + ".");
        result.notes().forEach(note -> html.element("p", note, "class", "faint"));
        result.failures().forEach(failure -> html.element("p", failure, "class", "bad"));
        html.close("section");
    }

    private void goal(Goal goal) {
        html.open("tr").element("td", goal.what()).element("td", goal.limit());
        html.element("td", goal.measured(), "class", good(goal.met())).close("tr");
    }
}
