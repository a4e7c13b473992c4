package org.idallocator.bench.process;

import java.util.List;

/**
 * What was measured several times.
 *
 * @param sorted from the smallest to the largest, one at least
 */
public record Figures(List<Double> sorted) {

    public Figures {
        sorted = sorted.stream().sorted().toList();
    }

    public double least() {
        return sorted.get(0);
    }

    public double most() {
        return sorted.get(sorted.size() - 1);
    }

    public double median() {
        return quantile(0.5);
    }

    /** The smallest figure that this part of all figures does not exceed, such as 0.99. */
    public double quantile(double part) {
        return sorted.get((int) Math.max(0, Math.ceil(sorted.size() * part) - 1));
    }

    /** {@code <= 1.30 goal}, with a word where it is missed. */
    public static String judged(double figure, double goal) {
        return "<= %.2f%s".formatted(goal, figure <= goal ? "" : "  MISSED");
    }
}
