package org.idallocator.service.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Guesses which key a person meant. */
final class Nearest {
    private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

    private Nearest() {}

    /** {@code did you mean window?}, or all keys, the nearest first, where none is near. */
    static String guess(String written, List<String> keys) {
        if (keys.isEmpty()) {
            return "it has none";
        }
        List<String> sorted = keys.stream()
                .sorted(Comparator.comparingInt((String key) -> distance(written, key))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        String best = sorted.get(0);
        return distance(written, best) <= Math.max(2, written.length() / 3)
                ? "did you mean " + best + "?"
                : "it has " + String.join(", ", sorted);
    }

    private static int distance(String written, String key) {
        return DISTANCE.apply(written.toLowerCase(Locale.ROOT), key.toLowerCase(Locale.ROOT));
    }
}
