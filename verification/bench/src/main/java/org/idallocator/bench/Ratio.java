package org.idallocator.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A figure divided by another one.
 *
 * @param median of the rounds in which both were measured
 * @param lowest of any round
 * @param highest of any round
 */
public record Ratio(double median, double lowest, double highest) {

    /** The ratio of what was measured once. */
    public static Ratio of(double figure, double of) {
        double ratio = figure / of;
        return new Ratio(ratio, ratio, ratio);
    }

    /**
     * The ratios within rounds. A machine that has become slower meanwhile changes the figures, and the ratios hardly.
     *
     * @param figures of each round
     * @param of by which they are divided, of the same rounds
     */
    public static Ratio of(List<Double> figures, List<Double> of) {
        Figures ratios = new Figures(IntStream.range(0, figures.size())
                .mapToObj(round -> figures.get(round) / of.get(round))
                .toList());
        return new Ratio(ratios.median(), ratios.least(), ratios.most());
    }

    String said() {
        return "%.3f".formatted(median);
    }

    /** From the lowest to the highest; empty where there was one round. */
    String range() {
        return lowest == highest ? "" : "%.2f to %.2f".formatted(lowest, highest);
    }
}
