package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.idallocator.bench.Svg.Ink;
import org.idallocator.bench.Svg.Point;

/** A small plot in a drawing that has two columns of them: curves over the same points, at equal distances. */
public final class Panel {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 190;
    private static final int LEFT = 48;
    private static final int RIGHT = 300;
    private static final int TOP = 44;
    private static final int BOTTOM = 160;
    private static final int MARGIN = 20;
    private static final double ROOM = 1.1;

    private final Svg svg;
    private final int x;
    private final int y;
    private final double top;

    /** An empty one, the {@code number}th of its drawing, with room for {@code least} and for all values. */
    public Panel(Svg svg, int number, String title, double least, List<Double> values) {
        this.svg = svg;
        x = number % 2 * WIDTH;
        y = number / 2 * HEIGHT;
        top = ROOM * Math.max(least, Collections.max(values));
        svg.text(x + LEFT, y + 18, "start", Ink.INK, title);
        svg.text(x + LEFT - 6, y(0) + 4, "end", Ink.INK, "0");
        svg.line(
                Ink.INK,
                false,
                List.of(new Point(x + LEFT, y + TOP), new Point(x + LEFT, y(0)), new Point(x + RIGHT, y(0))));
    }

    /** A drawing with room for so many. */
    public static Svg drawing(int panels, String title) {
        return new Svg(2 * WIDTH, (panels + 1) / 2 * HEIGHT, title);
    }

    /** What is said of the curves below the title, so many pixels from the left. */
    public Panel legend(int pixels, Ink ink, String said) {
        svg.text(x + LEFT + pixels, y + TOP - 10, "start", ink, said);
        return this;
    }

    /** A number at the left. */
    public Panel mark(Ink ink, double value) {
        svg.text(
                x + LEFT - 6, y(value) + 4, "end", ink, (value == Math.rint(value) ? "%.0f" : "%.1f").formatted(value));
        return this;
    }

    /** A dashed line, and what it is. */
    public Panel level(Ink ink, double value, String said) {
        svg.line(ink, true, List.of(new Point(x + LEFT, y(value)), new Point(x + RIGHT, y(value))));
        svg.text(x + RIGHT, y(value) - 4, "end", ink, said);
        return mark(ink, value);
    }

    /** What the points stand for, each of them and all. */
    public Panel axis(List<String> points, String said) {
        for (int i = 0; i < points.size(); i++) {
            svg.text(x(i, points.size()), y(0) + 14, "middle", Ink.INK, points.get(i));
        }
        svg.text(x + RIGHT, y(0) + 27, "end", Ink.INK, said);
        return this;
    }

    public Panel curve(Ink ink, List<Double> values) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            points.add(new Point(x(i, values.size()), y(values.get(i))));
        }
        svg.line(ink, false, points);
        return this;
    }

    private double x(int index, int points) {
        return x + LEFT + MARGIN + (RIGHT - LEFT - 2.0 * MARGIN) * index / Math.max(1, points - 1);
    }

    private double y(double value) {
        return y + BOTTOM - (BOTTOM - TOP) * value / top;
    }
}
