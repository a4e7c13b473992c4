package org.idallocator.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.idallocator.bench.Svg;
import org.idallocator.bench.Svg.Ink;
import org.idallocator.bench.Svg.Point;
import org.idallocator.bench.process.Vitals;

/** Four small plots over the minutes: what the replica that stays takes of memory, threads and sockets. */
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
            2 * HEIGHT,
            "A replica under load while others are replaced: heap, resident size, threads and sockets over the minutes");
    private final List<Vitals> taken;

    private Curves(List<Vitals> taken) {
        this.taken = taken;
    }

    static Svg drawn(List<Vitals> taken) {
        Curves curves = new Curves(taken);
        curves.panel(0, 0, "MiB of heap after a collection", Vitals::heap);
        curves.panel(WIDTH, 0, "MiB resident", Vitals::resident);
        curves.panel(0, HEIGHT, "threads", Vitals::threads);
        curves.panel(WIDTH, HEIGHT, "sockets", Vitals::sockets);
        return curves.svg;
    }

    private void panel(int x, int y, String title, ToDoubleFunction<Vitals> figure) {
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
