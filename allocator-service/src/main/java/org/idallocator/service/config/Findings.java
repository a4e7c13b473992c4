package org.idallocator.service.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What was found wrong with one configuration, each in one sentence and with the key that it is about. Not thread-safe. */
final class Findings {
    private final Set<Finding> found = new LinkedHashSet<>();

    /** {@code key} is a path such as {@code server.applicationConnectors[0].port}, or empty for the file as a whole. */
    private record Finding(String key, String sentence) {
        /** Whether one of the two keys is below the other. */
        boolean concerns(String other) {
            return isBelow(key, other) || isBelow(other, key);
        }
    }

    /** Whether a key is another one or below that. */
    static boolean isBelow(String key, String above) {
        return above.isEmpty()
                || key.equals(above)
                || (key.startsWith(above) && ".[".indexOf(key.charAt(above.length())) >= 0);
    }

    void add(String key, String sentence) {
        found.add(new Finding(key, sentence));
    }

    /** Whether something is wrong above or below a key: then a default stands there, and what is said of that is moot. */
    boolean isMoot(String key) {
        return found.stream().anyMatch(each -> each.concerns(key));
    }

    /** Whether anything is wrong with a key or below that. */
    boolean isAnyBelow(String key) {
        return found.stream().anyMatch(each -> isBelow(each.key(), key));
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** All sentences, in the order of the file, each behind the place where its key is. */
    List<String> sentences(YamlLines lines, Overrides overrides) {
        List<Finding> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(each -> lines.line(each.key()).orElse(0)));
        return sorted.stream()
                .map(each -> overrides
                                .naming(each.key())
                                .orElseGet(() -> lines.line(each.key()).isPresent()
                                        ? "line " + lines.line(each.key()).getAsInt() + ": "
                                        : "")
                        + each.sentence())
                .toList();
    }
}
