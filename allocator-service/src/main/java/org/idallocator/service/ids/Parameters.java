package org.idallocator.service.ids;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parameters of one request. Each one is known, has a value and is given at most once. */
public final class Parameters {
    private final Map<String, List<String>> values;

    /** Throws {@link IllegalArgumentException} for a parameter that is not among those {@code allowed}. */
    public Parameters(Map<String, List<String>> values, List<String> allowed) {
        this.values = values;
        for (String name : values.keySet()) {
            if (!allowed.contains(name)) {
                throw new IllegalArgumentException("unknown parameter " + name + "; allowed here: "
                        + (allowed.isEmpty() ? "none" : String.join(", ", allowed)));
            }
        }
    }

    /** The value of a parameter; throws {@link IllegalArgumentException} when it is empty, or given twice. */
    public Optional<String> value(String name) {
        List<String> given = values.getOrDefault(name, List.of());
        if (given.size() > 1) {
            throw new IllegalArgumentException(name + " must be given once: " + String.join(", ", given));
        }
        if (given.contains("")) {
            throw new IllegalArgumentException(name + " must have a value: it is empty");
        }
        return given.stream().findFirst();
    }
}
