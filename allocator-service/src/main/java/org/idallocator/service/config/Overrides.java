package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What system properties put in the place of keys, as {@code -Ddw.allocator.window=5s} does.
 *
 * @param prefix what the names of the properties begin with, such as {@code dw.}
 * @param values each value by the name of its property, without the prefix: a key whose own dots have a backslash in front
 */
record Overrides(String prefix, Map<String, String> values) {

    /** Those of this process. {@code prefix} is with or without a dot at its end. */
    static Overrides ofProcess(String prefix) {
        String dotted = prefix.endsWith(".") ? prefix : prefix + ".";
        Map<String, String> values = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(dotted)) {
                values.put(name.substring(dotted.length()), System.getProperty(name));
            }
        }
        return new Overrides(dotted, values);
    }

    /** The key that a name stands for. */
    static String key(String name) {
        return name.replace("\\.", ".");
    }

    /** Leaves out what is empty above a key: Dropwizard makes what is not there, and refuses what is null. */
    static void makeRoom(JsonNode tree, String name) {
        JsonNode at = tree;
        for (String escaped : name.split("(?<!\\\\)\\.", -1)) {
            String key = key(escaped);
            if (at.path(key).isNull() && at instanceof ObjectNode object) {
                object.remove(key);
            }
            at = at.path(key);
        }
    }

    /** {@code -Ddw.allocator.window: } where a key's value comes from a system property; else nothing. */
    Optional<String> naming(String key) {
        return values.keySet().stream()
                .filter(name -> Findings.isBelow(key, key(name)))
                .findFirst()
                .map(name -> "-D" + prefix + name + ": ");
    }
}
