package org.idallocator.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How fast one ID over HTTP shall be, beside ready bytes that a pool thread writes. */
final class HttpGoals {
    static final List<String> SCHEMES = List.of("sno", "muid", "eightbyte", "uid60", "gid");

    private static final Map<String, Double> FASTER = Map.of("text", 1.7, "JSON", 1.5);

    /** What the specification lets one slot give in a second, where that is less than HTTP may carry. */
    private static final Map<String, Integer> MOST = Map.of("eightbyte", 64_000, "uid60", 1_024);

    /** The part of that which counts as reached. */
    private static final double NEARLY = 0.99;

    private HttpGoals() {}

    /** The goals of a scheme in words, and whether they are missed. Where one slot cannot give so many, what it gives is the goal. */
    static String judge(String scheme, String medium, Load.Measured figure, Load.Measured ready) {
        double faster = FASTER.getOrDefault(medium, 1.0);
        double wanted = faster * ready.perSecond();
        double most = MOST.getOrDefault(scheme, Integer.MAX_VALUE);
        if (most < wanted) {
            return String.format(
                    Locale.ROOT,
                    ">= %.2f of the %,.0f that one slot may give%s",
                    NEARLY,
                    most,
                    missed(figure.perSecond() >= NEARLY * most));
        }
        boolean fast = figure.perSecond() >= wanted;
        boolean even = figure.p99Nanos() <= ready.p99Nanos();
        return String.format(Locale.ROOT, ">= %.1f%s, p99 <= 1%s", faster, missed(fast), missed(even));
    }

    private static String missed(boolean reached) {
        return reached ? "" : " MISSED";
    }
}
