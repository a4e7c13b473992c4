package org.idallocator.dropwizard.ids;

import com.google.common.primitives.Longs;
import java.util.Map;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SchemeOptions;

/**
 * The largest count of one request, for each scheme. The default is what one slot gives in {@value #DEFAULT_SECONDS}
 * seconds, bounded by what the scheme allows. Immutable, thread-safe.
 *
 * @param byScheme the configured counts, by the names of the schemes
 */
public record MaxCounts(Map<String, Integer> byScheme) {
    private static final String KEY = SchemeOptions.MAX_COUNT;
    private static final int DEFAULT_SECONDS = 10;

    public MaxCounts {
        byScheme = Map.copyOf(byScheme);
    }

    /**
     * Checks a configured largest count.
     *
     * @throws BadValueException naming the value and what is allowed
     */
    public static int configured(Scheme<?> scheme, Object value) {
        return scheme.count(scheme.name() + "." + KEY, value.toString(), scheme.defaultVariant());
    }

    /** The largest count of one request for a variant. */
    public int largest(Scheme<?> scheme, Variant variant) {
        return Math.min(largest(scheme), scheme.largestCount(variant));
    }

    private int largest(Scheme<?> scheme) {
        long seconds = Math.min(scheme.idsPerSecond(), Integer.MAX_VALUE) * DEFAULT_SECONDS;
        return byScheme.getOrDefault(
                scheme.name(), (int) Math.min(scheme.largestCount(scheme.defaultVariant()), seconds));
    }

    /**
     * Reads the count of one request.
     *
     * @throws BadValueException naming the value and what is allowed, and the key if the configuration can allow more
     */
    public int count(Scheme<?> scheme, String text, Variant variant) {
        int allowed = largest(scheme, variant);
        Long count = Longs.tryParse(text);
        if (count != null && count >= 1 && count <= allowed) {
            return count.intValue();
        }
        boolean tooLarge = count != null && count > allowed && allowed == largest(scheme);
        String key = tooLarge ? " (schemes." + scheme.name() + "." + KEY + ")" : "";
        throw new BadValueException(IdRequest.COUNT, "must be 1.." + allowed + key + ": " + text);
    }
}
