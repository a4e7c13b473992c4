package org.idallocator.bench;

/**
 * What a figure is measured by.
 *
 * @param figure a benchmark, {@code Class.method}; with {@code " x2"} after that, on two threads, of which each call takes so long
 * @param of what the figure is divided by, measured in the same rounds
 * @param goal the largest ratio that is good enough
 */
record Ratio(String figure, String of, double goal) {

    /** The goal, and whether a ratio meets it. */
    String said(double ratio) {
        return "<= %.2f x %s%s".formatted(goal, of, ratio <= goal ? "" : ", MISSED");
    }
}
