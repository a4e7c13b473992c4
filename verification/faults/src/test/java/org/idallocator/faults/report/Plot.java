package org.idallocator.faults.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.idallocator.faults.load.Track;
import org.idallocator.faults.scene.Log;

/** One row's time line: for each replica the IDs in every 100 ms, where it refused, and what happened when. */
final class Plot {
    private static final double LEFT = 110;
    private static final double WIDTH = 860;
    private static final double LANE = 46;
    private static final double TOP = 34;
    private static final double GAP = 8;
    private static final long[] STEPS = {1_000, 2_000, 5_000, 10_000, 30_000, 60_000};

    private final StringBuilder svg = new StringBuilder();
    private final Result result;
    private final List<Result.Series> lanes;
    private final long startMillis;
    private final long endMillis;

    private Plot(Result result) {
        this.result = result;
        this.lanes = result.tracks().stream()
                .filter(track -> !track.idsBySlice().isEmpty())
                .toList();
        this.startMillis = lanes.stream().mapToLong(Plot::firstMillis).min().orElse(0) / 1_000 * 1_000;
        this.endMillis = Math.max(startMillis + 1, result.millis());
    }

    static String of(Result result) {
        return new Plot(result).draw();
    }

    private String draw() {
        double bottom = TOP + lanes.size() * (LANE + GAP);
        svg.append(Page.filled(
                "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"IDs per 100 ms of each replica while: %s\">\n",
                LEFT + WIDTH + 20, bottom + 24, result.name()));
        for (int i = 0; i < lanes.size(); i++) {
            lane(lanes.get(i), TOP + i * (LANE + GAP));
        }
        axis(bottom);
        for (int i = 0; i < result.marks().size(); i++) {
            mark(result.marks().get(i), i, bottom);
        }
        return svg.append("</svg>\n").toString();
    }

    /** When the first ID came: what was before is of no interest. */
    private static long firstMillis(Result.Series track) {
        return IntStream.range(0, track.idsBySlice().size())
                .filter(slice -> track.idsBySlice().get(slice) > 0)
                .mapToLong(slice -> (long) slice * Track.SLICE_MILLIS)
                .findFirst()
                .orElse(0);
    }

    private double x(long atMillis) {
        double share = (double) (atMillis - startMillis) / (endMillis - startMillis);
        return LEFT + Math.max(0, Math.min(1, share)) * WIDTH;
    }

    private void lane(Result.Series track, double top) {
        long peak = Collections.max(track.idsBySlice());
        text(0, top + 18, "name", track.name());
        text(0, top + 34, "small", "peak " + Text.count(peak));
        for (Result.Span span : track.fenced()) {
            double width = Math.max(1, x(span.untilMillis()) - x(span.fromMillis()));
            svg.append(Page.filled(
                    "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"fenced\"/>\n",
                    x(span.fromMillis()), top, width, LANE));
        }
        svg.append(Page.filled("<path d=\"%s\" class=\"ids\"/>\n", area(track.idsBySlice(), peak, top + LANE)));
    }

    private void text(double x, double y, String kind, String text) {
        svg.append(Page.filled("<text x=\"%s\" y=\"%s\" class=\"%s\">%s</text>\n", x, y, kind, text));
    }

    /** Steps, not slopes: each value stands for its whole 100 ms. */
    private String area(List<Long> ids, long peak, double base) {
        StringBuilder path = new StringBuilder("M%.1f %.1f".formatted(LEFT, base));
        for (int i = 0; i < ids.size(); i++) {
            double height = base - LANE * ids.get(i) / Math.max(1, peak);
            path.append("L%.1f %.1fL%.1f %.1f"
                    .formatted(x((long) i * Track.SLICE_MILLIS), height, x((i + 1L) * Track.SLICE_MILLIS), height));
        }
        return path.append("L%.1f %.1fZ".formatted(x((long) ids.size() * Track.SLICE_MILLIS), base))
                .toString();
    }

    private void axis(double bottom) {
        long step = Arrays.stream(STEPS)
                .filter(s -> (endMillis - startMillis) / s <= 12)
                .findFirst()
                .orElse(STEPS[STEPS.length - 1]);
        for (long at = startMillis; at <= endMillis; at += step) {
            text(x(at), bottom + 14, "small", at / 1_000 + " s");
        }
    }

    private void mark(Log.Mark mark, int number, double bottom) {
        double x = x(mark.millis());
        svg.append(Page.filled("<g><title>%s ms: %s</title>\n", mark.millis(), mark.what()));
        svg.append(
                Page.filled("<line x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\" class=\"mark\"/>\n", x, x, TOP - 8, bottom));
        text(x, TOP - 12 - 10 * (number % 2), "number", Integer.toString(number + 1));
        svg.append("</g>\n");
    }
}
