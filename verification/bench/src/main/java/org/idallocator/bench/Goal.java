package org.idallocator.bench;

/**
 * A ratio that is wanted.
 *
 * @param figure what is measured
 * @param atMost whether a ratio above the limit misses the goal; otherwise one below it does
 * @param limit the ratio that just meets the goal
 * @param of what the figure is divided by, in words
 * @param amount the same as a number, where that is always the same; else 1
 */
public record Goal(String figure, boolean atMost, double limit, String of, double amount) {

    static Goal atMost(String figure, double limit, String of) {
        return new Goal(figure, true, limit, of, 1);
    }

    static Goal atLeast(String figure, double limit, String of) {
        return new Goal(figure, false, limit, of, 1);
    }

    /** A figure of which there may be so much. */
    static Goal amount(String figure, double amount, String unit) {
        return new Goal(figure, true, 1, (amount < 1 ? "%.1f %s" : "%,.0f %s").formatted(amount, unit), amount);
    }

    /** {@code <= 1.15 x UUID.toString}; of an amount, {@code <= 50 ms}. */
    public String said() {
        String most = atMost ? "<=" : ">=";
        return amount == 1 ? "%s %.2f x %s".formatted(most, limit, of) : most + " " + of;
    }

    /** Whether a ratio meets the goal; one that is no number does not. */
    public boolean isMet(double ratio) {
        return atMost ? ratio <= limit : ratio >= limit;
    }
}
