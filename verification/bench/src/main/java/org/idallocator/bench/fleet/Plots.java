package org.idallocator.bench.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Svg;
import org.idallocator.bench.Svg.Ink;
import org.idallocator.bench.Svg.Point;

/** Two small plots by the size of the fleet: how long the first ID takes, and how many writes a replica causes. */
final class Plots {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 210;
    private static final int LEFT = 48;
    private static final int RIGHT = 300;
    private static final int TOP = 44;
    private static final int BOTTOM = 170;
    private static final double ROOM = 1.1;

    private final Svg svg = new Svg(
            2 * WIDTH,
            HEIGHT,
            "A fleet by its size: ms from connect to the first ID, and writes a second of each replica");
    private final List<Fleet.Measured> measured;

    private Plots(List<Fleet.Measured> measured) {
        this.measured = measured;
    }

    static Svg drawn(List<Fleet.Measured> measured) {
        Plots plots = new Plots(measured);
        plots.times();
        plots.writes();
        return plots.svg;
    }

    private void times() {
        ToDoubleFunction<Fleet.Measured> p99 = of -> of.firstIdMillis().quantile(0.99);
        double top = top(Goals.FIRST_ID_MILLIS, p99);
        panel(0, "ms from connect to the first ID", top, Goals.FIRST_ID_MILLIS);
        curve(0, top, of -> of.firstIdMillis().median(), Ink.FAINT);
        curve(0, top, p99, Ink.GOOD);
        svg.text(LEFT, TOP - 10, "start", Ink.GOOD, "99th percentile");
        svg.text(LEFT + 90, TOP - 10, "start", Ink.FAINT, "median");
    }

    private void writes() {
        double top = top(Goals.WRITES_A_SECOND, Fleet.Measured::writes);
        panel(WIDTH, "writes a second of each replica", top, Goals.WRITES_A_SECOND);
        curve(WIDTH, top, Fleet.Measured::writes, Ink.GOOD);
    }

    private double top(double goal, ToDoubleFunction<Fleet.Measured> figure) {
        return ROOM * Math.max(goal, measured.stream().mapToDouble(figure).max().orElse(0));
    }

    private void panel(int x, String title, double top, double goal) {
        svg.text(x + LEFT, 18, "start", Ink.INK, title);
        svg.line(
                Ink.INK,
                false,
                List.of(new Point(x + LEFT, TOP), new Point(x + LEFT, BOTTOM), new Point(x + RIGHT, BOTTOM)));
        double y = y(goal, top);
        svg.line(Ink.BAD, true, List.of(new Point(x + LEFT, y), new Point(x + RIGHT, y)));
        svg.text(x + RIGHT, y - 4, "end", Ink.BAD, "goal");
        svg.text(x + LEFT - 6, y + 4, "end", Ink.BAD, goal < 10 ? String.valueOf(goal) : "%.0f".formatted(goal));
        svg.text(x + LEFT - 6, BOTTOM + 4, "end", Ink.INK, "0");
        for (int i = 0; i < measured.size(); i++) {
            String size = String.valueOf(measured.get(i).replicas());
            svg.text(x(x, i), BOTTOM + 16, "middle", Ink.INK, size);
        }
        svg.text(x + (LEFT + RIGHT) / 2.0, BOTTOM + 32, "middle", Ink.INK, "replicas");
    }

    private void curve(int x, double top, ToDoubleFunction<Fleet.Measured> figure, Ink ink) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < measured.size(); i++) {
            points.add(new Point(x(x, i), y(figure.applyAsDouble(measured.get(i)), top)));
        }
        points.forEach(point -> svg.dot(point, ink));
        svg.line(ink, false, points);
    }

    /** Sizes stand at equal distances: each is four times the one before. */
    private double x(int x, int index) {
        return x + LEFT + 20 + (RIGHT - LEFT - 40.0) * index / Math.max(1, measured.size() - 1);
    }

    private static double y(double value, double top) {
        return BOTTOM - (BOTTOM - TOP) * value / top;
    }
}
