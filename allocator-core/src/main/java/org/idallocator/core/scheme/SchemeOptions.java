package org.idallocator.core.scheme;

import java.util.Collection;
import java.util.Map;

/**
 * A scheme's section of the configuration: keys and values as they were written. When a value is bad, the error names the
 * key, the value and what is allowed.
 */
public record SchemeOptions(String scheme, Map<String, Object> values) {

    public SchemeOptions {
        values = Map.copyOf(values);
    }

    /** Refuses keys that the scheme does not know. */
    SchemeOptions only(Collection<String> known) {
        for (String key : values.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        scheme + " has no option " + key + "; it has " + (known.isEmpty() ? "none" : known));
            }
        }
        return this;
    }

    /** A whole number, {@code min} to {@code max}, both inclusive. */
    int number(String key, int defaultValue, int min, int max) {
        String value = text(key, Integer.toString(defaultValue));
        String allowed = min + ".." + max;
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw Values.refused(scheme + "." + key, allowed, value, e);
        }
        throw Values.refused(scheme + "." + key, allowed, value);
    }

    /** {@code true} or {@code false}. */
    boolean flag(String key, boolean defaultValue) {
        return switch (text(key, Boolean.toString(defaultValue))) {
            case "true" -> true;
            case "false" -> false;
            default -> throw Values.refused(scheme + "." + key, "true or false", text(key, ""));
        };
    }

    String text(String key, String defaultValue) {
        return values.getOrDefault(key, defaultValue).toString();
    }
}
