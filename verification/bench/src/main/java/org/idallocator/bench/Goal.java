package org.idallocator.bench;

/**
 * A ratio that is wanted.
 *
 * @param figure what is measured
 * @param atMost whether a ratio above the limit misses the goal; otherwise one below it does
 * @param limit the ratio that just meets the goal
 * @param of what the figure is divided by
 */
public record Goal(String figure, boolean atMost, double limit, String of) {

    static Goal atMost(String figure, double limit, String of) {
        return new Goal(figure, true, limit, of);
    }

    static Goal atLeast(String figure, double limit, String of) {
        return new Goal(figure, false, limit, of);
    }

    /** {@code <= 1.15 x UUID.toString}. */
    public String said() {
        return bound() + " x " + of;
    }

    /** {@code <= 1.15}. */
    String bound() {
        return "%s %.2f".formatted(atMost ? "<=" : ">=", limit);
    }

    /** Whether a ratio meets the goal; one that is no number does not. */
    public boolean isMet(double ratio) {
        return atMost ? ratio <= limit : ratio >= limit;
    }
}
