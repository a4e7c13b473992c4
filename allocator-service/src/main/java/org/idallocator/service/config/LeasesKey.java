package org.idallocator.service.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.scheme.SchemeOptions;
import org.idallocator.zk.settings.LeaseBounds;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Shown;
import org.jspecify.annotations.Nullable;

/** {@code schemes.NAME.leases}: how many slots of a scheme a replica holds, as in {@code {min: 1, max: 8}}. */
final class LeasesKey {
    private static final String MIN = "min";
    private static final String MAX = "max";
    private static final List<String> KEYS = List.of(MIN, MAX);

    private LeasesKey() {}

    /**
     * What a scheme's options say. Without the key one slot; without min at least one; without max at most min.
     *
     * @throws IllegalArgumentException with all that is wrong; each key begins with the scheme's name
     */
    static LeaseBounds read(String scheme, Map<String, Object> options) {
        Object written = options.get(SchemeOptions.LEASES);
        if (written == null) {
            return LeaseBounds.ONE;
        }
        String key = scheme + "." + SchemeOptions.LEASES;
        Mistakes mistakes = new Mistakes();
        Optional<LeaseBounds> bounds = Optional.empty();
        if (written instanceof Map<?, ?> values) {
            bounds = bounds(key, values, mistakes);
        } else {
            mistakes.add(key, "must be a least and a largest number, as in {min: 1, max: 8}: " + Shown.of(written));
        }
        mistakes.throwIfAny();
        return bounds.orElseThrow();
    }

    private static Optional<LeaseBounds> bounds(String key, Map<?, ?> values, Mistakes mistakes) {
        for (Object name : values.keySet()) {
            String text = String.valueOf(name);
            if (!KEYS.contains(text)) {
                mistakes.addUnknown(key, text, Nearest.guess(text, KEYS));
            }
        }
        Mistakes ofValues = new Mistakes();
        Optional<Integer> min = ofValues.attempt(MIN, () -> number(MIN, values.get(MIN), 1));
        int least = Math.max(1, Math.min(LeaseBounds.LARGEST, min.orElse(1)));
        Optional<Integer> max = ofValues.attempt(MAX, () -> number(MAX, values.get(MAX), least));
        Optional<LeaseBounds> bounds = min.isPresent() && max.isPresent()
                ? ofValues.attempt(() -> new LeaseBounds(min.get(), max.get()))
                : Optional.empty();
        mistakes.addAll(key, ofValues);
        return bounds;
    }

    private static int number(String key, @Nullable Object value, int otherwise) {
        if (value == null) {
            return otherwise;
        }
        String text = value.toString();
        if (text.matches("[0-9]{1,9}")) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(key + " must be 1.." + LeaseBounds.LARGEST + ": " + Shown.of(text));
    }
}
