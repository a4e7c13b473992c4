package org.idallocator.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.idallocator.bench.Svg;
import org.idallocator.bench.Svg.Ink;
import org.idallocator.bench.Svg.Point;

/** Small plots over the minutes: what the replica that stays takes, how many requests there were, and how many of them failed. */
final class Curves {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 150;
    private static final int LEFT = 48;
    private static final int RIGHT = 300;
    private static final int TOP = 30;
    private static final int BOTTOM = 120;
    private static final double ROOM = 1.2;

    private final Svg svg = new Svg(
            2 * WIDTH,
            3 * HEIGHT,
            "A replica under load while others are replaced: heap, resident size, threads and sockets over the minutes,"
                    + " requests and those that failed");
    private final List<Sample> taken;

    private Curves(List<Sample> taken) {
        this.taken = taken;
    }

    static Svg drawn(List<Sample> taken) {
        Curves curves = new Curves(taken);
        curves.panel(
                0, 0, "MiB of heap after a collection", each -> each.vitals().heap());
        curves.panel(WIDTH, 0, "MiB resident", each -> each.vitals().resident());
        curves.panel(0, HEIGHT, "threads", each -> each.vitals().threads());
        curves.panel(WIDTH, HEIGHT, "sockets", each -> each.vitals().sockets());
        curves.panel(0, 2 * HEIGHT, "requests a minute", Sample::asked);
        curves.panel(WIDTH, 2 * HEIGHT, "failed requests a minute", Sample::failed);
        return curves.svg;
    }

    private void panel(int x, int y, String title, ToDoubleFunction<Sample> figure) {
        double most = taken.stream().mapToDouble(figure).max().orElse(0);
        svg.text(x + LEFT, y + 18, "start", Ink.INK, title);
        svg.line(
                Ink.INK,
                false,
                List.of(
                        new Point(x + LEFT, y + TOP),
                        new Point(x + LEFT, y + BOTTOM),
                        new Point(x + RIGHT, y + BOTTOM)));
        svg.text(x + LEFT - 6, y + BOTTOM + 4, "end", Ink.INK, "0");
        svg.text(x + LEFT - 6, y + height(most, most) + 4, "end", Ink.INK, "%.0f".formatted(most));
        svg.text(x + RIGHT, y + BOTTOM + 16, "end", Ink.INK, taken.size() + " min");
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < taken.size(); i++) {
            double at = x + LEFT + (double) (RIGHT - LEFT) * (i + 1) / taken.size();
            points.add(new Point(at, y + height(figure.applyAsDouble(taken.get(i)), most)));
        }
        svg.line(Ink.GOOD, false, points);
    }

    private static double height(double value, double most) {
        return BOTTOM - (BOTTOM - TOP) * value / Math.max(1, ROOM * most);
    }
}
