package org.idallocator.bench;

import java.util.List;

/**
 * What was measured several times.
 *
 * @param sorted from the smallest to the largest, one at least
 */
public record Figures(List<Double> sorted) {

    public Figures {
        if (sorted.isEmpty()) {
            throw new IllegalStateException("nothing was measured");
        }
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
}
