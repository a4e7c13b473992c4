package org.idallocator.service.ids;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeOptions;

/**
 * The largest count of one request, for each scheme. Unless configured, that is what a slot's {@value #DEFAULT_SECONDS} seconds
 * hold, and never more than the scheme allows. Immutable, thread-safe.
 */
public final class MaxCounts {
    private static final String KEY = SchemeOptions.MAX_COUNT;
    private static final int DEFAULT_SECONDS = 10;

    private final Map<String, Integer> largest = new LinkedHashMap<>();

    /** The defaults of some schemes, but for those that are configured, by their names. */
    public MaxCounts(List<Scheme<?>> schemes, Map<String, Integer> configured) {
        for (Scheme<?> scheme : schemes) {
            largest.put(scheme.name(), configured.getOrDefault(scheme.name(), byDefault(scheme)));
        }
    }

    private static int byDefault(Scheme<?> scheme) {
        long seconds = Math.min(scheme.idsPerSecond(), Integer.MAX_VALUE) * DEFAULT_SECONDS;
        return (int) Math.min(scheme.largestCount(), seconds);
    }

    /** A configured largest count; throws {@link IllegalArgumentException} naming the value and what is allowed. */
    public static int configured(Scheme<?> scheme, Object value) {
        String text = value.toString();
        int allowed = scheme.largestCount();
        if (isIn(text, allowed)) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(scheme.name() + "." + KEY + " must be 1.." + allowed + ": " + text);
    }

    /** The largest count of one request for a variant. */
    public int largest(Scheme<?> scheme, Variant variant) {
        return Math.min(configured(scheme), scheme.largestCount(variant));
    }

    private int configured(Scheme<?> scheme) {
        return largest.getOrDefault(scheme.name(), scheme.largestCount());
    }

    /**
     * The count of one request, read from text.
     *
     * @throws IllegalArgumentException naming the value and what is allowed, and the key where the configuration decides on that
     */
    public int count(Scheme<?> scheme, String text, Variant variant) {
        int allowed = largest(scheme, variant);
        if (isIn(text, allowed)) {
            return Integer.parseInt(text);
        }
        boolean tooLarge = text.matches("[1-9][0-9]*") && allowed == configured(scheme);
        String key = tooLarge ? " (schemes." + scheme.name() + "." + KEY + ")" : "";
        throw new IllegalArgumentException("count must be 1.." + allowed + key + ": " + text);
    }

    private static boolean isIn(String text, int allowed) {
        return text.matches("[0-9]{1,9}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= allowed;
    }
}
