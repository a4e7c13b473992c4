package org.idallocator.service.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** All sentences, in the order of the file, each behind the place where its key is. */
    List<String> sentences(YamlFile file, Overrides overrides) {
        List<Finding> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(each -> file.line(each.key()).orElse(0)));
        return sorted.stream()
                .map(each -> overrides.naming(each.key()).orElseGet(() -> place(file, each.key())) + each.sentence())
                .toList();
    }

    /** {@code line 3: }, and the variables of the environment that the value is from: {@code line 3, ${NAME}: }. */
    private static String place(YamlFile file, String key) {
        if (file.line(key).isEmpty()) {
            return "";
        }
        String variables =
                file.sources(key).stream().map(name -> ", ${" + name + "}").collect(Collectors.joining());
        return "line " + file.line(key).getAsInt() + variables + ": ";
    }
}
