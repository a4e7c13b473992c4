package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Variables of the environment in values of a configuration file: {@code ${NAME}} or {@code ${NAME:-default}}; {@code $${NAME}}
 * is none. They are replaced when the file has been read, so that no character of theirs means anything to YAML.
 */
final class Variables {
    private static final Pattern VARIABLE = Pattern.compile("(\\$?)\\$\\{([^${}\n]+?)(:-([^${}\n]*))?}");

    /** Where {@link #hide} moves ASCII: characters that nobody uses, and that mean nothing to YAML. */
    private static final char HIDDEN = '\uE000';

    private static final Pattern HIDDEN_VARIABLE = Pattern.compile("\\$\uE07B[^\uE07D]+\uE07D");

    private final Function<String, @Nullable String> environment;

    /** {@code environment} gives the value of a name, or null. */
    Variables(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * A value with its variables replaced.
     *
     * @param unset the variables that it needs and nobody has set; they stand in the text
     * @param used the variables that are set
     */
    record Replaced(String text, Set<String> unset, Set<String> used) {}

    /** A file's text with variables that are a plain text to YAML, wherever they stand; nothing else moves. */
    static String hide(String text) {
        return VARIABLE.matcher(text).replaceAll(variable -> {
            int brace = variable.group().indexOf('{');
            StringBuilder hidden = new StringBuilder(variable.group());
            for (int i = brace; i < hidden.length(); i++) {
                if (hidden.charAt(i) < 0x80) {
                    hidden.setCharAt(i, (char) (HIDDEN + hidden.charAt(i)));
                }
            }
            return Matcher.quoteReplacement(hidden.toString());
        });
    }

    /** What was hidden, as it was. */
    static String shown(String text) {
        return HIDDEN_VARIABLE.matcher(text).replaceAll(variable -> {
            StringBuilder shown = new StringBuilder(variable.group());
            for (int i = 0; i < shown.length(); i++) {
                if (shown.charAt(i) >= HIDDEN && shown.charAt(i) < HIDDEN + 0x80) {
                    shown.setCharAt(i, (char) (shown.charAt(i) - HIDDEN));
                }
            }
            return Matcher.quoteReplacement(shown.toString());
        });
    }

    /** Replaces the variables of one value. A value of theirs that looks like a variable is none. */
    Replaced replace(String text) {
        Set<String> unset = new LinkedHashSet<>();
        Set<String> used = new LinkedHashSet<>();
        String replaced = VARIABLE.matcher(text).replaceAll(variable -> {
            String name = variable.group(2);
            if (!variable.group(1).isEmpty()) {
                return Matcher.quoteReplacement(variable.group().substring(1));
            }
            String value = environment.apply(name);
            if (value != null) {
                used.add(name);
            } else if (variable.group(3) == null) {
                unset.add(name);
            }
            String other = variable.group(3) == null ? variable.group() : variable.group(4);
            return Matcher.quoteReplacement(value == null ? other : value);
        });
        return new Replaced(replaced, unset, used);
    }

    /** Empties the values that need a variable which is not set, and notes which. */
    static void missing(JsonNode node, String path, Findings found) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                String key = path.isEmpty() ? name : path + "." + name;
                if (isMissing(object.get(name), key, found)) {
                    object.putNull(name);
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (isMissing(array.get(i), path + "[" + i + "]", found)) {
                    array.setNull(i);
                }
            }
        }
    }

    private static boolean isMissing(JsonNode value, String key, Findings found) {
        if (value instanceof POJONode marked && marked.getPojo() instanceof Replaced replaced) {
            for (String name : replaced.unset()) {
                found.add(
                        key,
                        key + " needs the environment variable " + name
                                + ", which is not set; set it, or give a default, as in ${" + name + ":-default}");
            }
            return true;
        }
        missing(value, key, found);
        return false;
    }
}
