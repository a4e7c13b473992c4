package org.idallocator.core.scheme;

import java.util.List;
import java.util.Map;
import org.idallocator.core.id.BadValueException;

/**
 * A scheme's section of the configuration: keys and values as they were written. When a value is bad, the error names
 * the key, the value and what is allowed.
 */
public record SchemeOptions(String scheme, Map<String, Object> values) {

    /** A key of every scheme, for whoever answers requests: the largest count of one request. */
    public static final String MAX_COUNT = "maxCount";

    /** A key of every scheme with slots, for whoever leases slots: how many slots a replica holds. */
    public static final String LEASES = "leases";

    /** A key of every scheme with slots, for whoever leases slots: how far ahead a replica reserves time of them. */
    public static final String WINDOW = "window";

    public SchemeOptions {
        values = Map.copyOf(values);
    }

    /** Refuses all other keys. */
    void only(List<String> known) {
        for (String key : values.keySet()) {
            if (!known.contains(key)) {
                throw new BadValueException(scheme, "has no key " + key + "; it has " + String.join(", ", known));
            }
        }
    }

    /** A whole number, {@code min} to {@code max}, both inclusive and not negative. */
    int number(String key, int defaultValue, int min, int max) {
        return new Allowed.Range(min, max).read(scheme + "." + key, text(key, Integer.toString(defaultValue)));
    }

    /** {@code true} or {@code false}. */
    boolean flag(String key, boolean defaultValue) {
        String value = text(key, Boolean.toString(defaultValue));
        return Boolean.parseBoolean(Allowed.OneOf.TRUE_OR_FALSE.read(scheme + "." + key, value));
    }

    String text(String key, String defaultValue) {
        return values.getOrDefault(key, defaultValue).toString();
    }
}
