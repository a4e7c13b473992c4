package org.idallocator.service.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a command found or did: lines of a name and a value, with the values below one another. Not thread-safe. */
public final class NamedValues {
    private final Map<String, String> values = new LinkedHashMap<>();

    /** Adds a line. */
    public NamedValues add(String name, Object value) {
        values.put(name, value.toString());
        return this;
    }

    /** All lines, each with its end. */
    @Override
    public String toString() {
        int longest = values.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder lines = new StringBuilder();
        values.forEach((name, value) ->
                lines.append((name + ":" + " ".repeat(longest + 1 - name.length())) + value + "\n"));
        return lines.toString();
    }
}
