package org.idallocator.bench.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Two small plots by the size of the fleet: how long the first ID takes, and how many writes a replica causes. */
final class Plots {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 200;
    private static final int LEFT = 48;
    private static final int TOP = 34;
    private static final int BOTTOM = 160;
    private static final int RIGHT = 300;

    private final StringBuilder svg = new StringBuilder();
    private final List<Fleet.Measured> measured;

    private Plots(List<Fleet.Measured> measured) {
        this.measured = measured;
    }

    static void write(Path file, List<Fleet.Measured> measured) {
        try {
            Files.writeString(file, new Plots(measured).drawn());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String drawn() {
        add(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img'",
                2 * WIDTH, HEIGHT, 2 * WIDTH, HEIGHT);
        add(" font-family='sans-serif' font-size='11'>");
        add("<title>A fleet by its size: ms from connect to the first ID, and writes a second of each replica</title>");
        add("<rect width='100%%' height='100%%' fill='#fff'/>");
        double mostMillis = most(of -> of.firstIdMillis().quantile(0.99));
        panel(0, "ms from connect to the first ID", Math.max(1_000, mostMillis) * 1.1, 1_000);
        curve(0, Math.max(1_000, mostMillis) * 1.1, of -> of.firstIdMillis().median(), "#888");
        curve(0, Math.max(1_000, mostMillis) * 1.1, of -> of.firstIdMillis().quantile(0.99), "#06c");
        text(LEFT + 8, TOP - 4, "start", "#06c", "p99");
        text(LEFT + 36, TOP - 4, "start", "#888", "median");
        double mostWrites = Math.max(0.5, most(Fleet.Measured::writes)) * 1.1;
        panel(WIDTH, "writes a second of each replica", mostWrites, 0.5);
        curve(WIDTH, mostWrites, Fleet.Measured::writes, "#06c");
        add("</svg>%n");
        return svg.toString();
    }

    private double most(ToDoubleFunction<Fleet.Measured> figure) {
        return measured.stream().mapToDouble(figure).max().orElse(0);
    }

    private void panel(int x, String title, double top, double goal) {
        text(x + LEFT, 16, "start", "#000", title);
        add("<path d='M%d %dV%dH%d' fill='none' stroke='#000'/>%n", x + LEFT, TOP, BOTTOM, x + RIGHT);
        double y = y(goal, top);
        add("<path d='M%d %.1fH%d' stroke='#c00' stroke-dasharray='4 3'/>%n", x + LEFT, y, x + RIGHT);
        text(x + RIGHT, y - 4, "end", "#c00", "goal");
        text(x + LEFT - 6, y + 4, "end", "#c00", goal < 10 ? String.valueOf(goal) : "%.0f".formatted(goal));
        text(x + LEFT - 6, BOTTOM + 4, "end", "#000", "0");
        for (int i = 0; i < measured.size(); i++) {
            text(
                    x(x, i),
                    BOTTOM + 16,
                    "middle",
                    "#000",
                    String.valueOf(measured.get(i).replicas()));
        }
        text(x + (LEFT + RIGHT) / 2.0, BOTTOM + 32, "middle", "#000", "replicas");
    }

    private void curve(int x, double top, ToDoubleFunction<Fleet.Measured> figure, String colour) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < measured.size(); i++) {
            double y = y(figure.applyAsDouble(measured.get(i)), top);
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(x, i), y));
            add("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>%n", x(x, i), y, colour);
        }
        add(
                "<polyline points='%s' fill='none' stroke='%s'/>%n",
                points.toString().strip(), colour);
    }

    /** Sizes stand at equal distances: each is four times the one before. */
    private double x(int x, int index) {
        return x + LEFT + 20 + (RIGHT - LEFT - 40.0) * index / Math.max(1, measured.size() - 1);
    }

    private static double y(double value, double top) {
        return BOTTOM - (BOTTOM - TOP) * value / top;
    }

    private void text(double x, double y, String anchor, String colour, String text) {
        add("<text x='%.1f' y='%.1f' text-anchor='%s' fill='%s'>%s</text>%n", x, y, anchor, colour, text);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
