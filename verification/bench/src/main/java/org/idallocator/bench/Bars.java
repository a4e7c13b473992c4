package org.idallocator.bench;

import java.nio.file.Path;
import java.util.List;
import org.idallocator.bench.Svg.Ink;
import org.idallocator.bench.Svg.Point;

/**
 * A bar for each ratio, as long as the ratio is against its goal: a line down the middle is where ratio and goal are equal. A bar
 * that reaches the right edge is twice the goal or longer.
 */
public final class Bars {
    private static final int LEFT = 170;
    private static final int RIGHT = 430;
    private static final int WIDTH = 640;
    private static final int TOP = 40;
    private static final int STEP = 18;
    private static final double MOST = 2;

    private final Svg svg;
    private final String title;
    private final List<Table.Judged> judged;
    private final int bottom;

    private Bars(String title, List<Table.Judged> judged) {
        this.title = title;
        this.judged = judged;
        bottom = TOP + STEP * judged.size();
        svg = new Svg(WIDTH, bottom + 12, title);
    }

    /** Draws ratios, which all have goals of one direction, into a file. */
    public static void write(Path file, String title, List<Table.Judged> judged) {
        new Bars(title, judged).drawn().write(file);
    }

    static String text(String title, List<Table.Judged> judged) {
        return new Bars(title, judged).drawn().drawn();
    }

    private Svg drawn() {
        boolean atMost = judged.stream().anyMatch(each -> each.goal().atMost());
        svg.text(12, 18, "start", Ink.INK, title);
        svg.text(x(1), TOP - 6, "middle", Ink.FAINT, atMost ? "goal: shorter is better" : "goal: longer is better");
        for (int i = 0; i < judged.size(); i++) {
            bar(judged.get(i), TOP + STEP * i);
        }
        svg.line(Ink.INK, false, List.of(new Point(LEFT, TOP), new Point(LEFT, bottom)));
        svg.line(Ink.INK, true, List.of(new Point(x(1), TOP), new Point(x(1), bottom)));
        return svg;
    }

    private void bar(Table.Judged one, int y) {
        Ink ink = one.isMet() ? Ink.GOOD : Ink.BAD;
        svg.text(LEFT - 8, y + 13, "end", Ink.INK, one.name());
        svg.bar(LEFT, y + 3, x(one.ratio().median() / one.goal().limit()) - LEFT, ink);
        svg.text(
                RIGHT + 10,
                y + 13,
                "start",
                ink,
                "%.2f, goal %s%s".formatted(one.ratio().median(), one.goal().bound(), one.isMet() ? "" : ", missed"));
    }

    /** A ratio that is no number, or below 0, has no length. */
    private static double x(double ofGoal) {
        return LEFT + (RIGHT - LEFT) * (ofGoal > 0 ? Math.min(MOST, ofGoal) : 0) / MOST;
    }
}
