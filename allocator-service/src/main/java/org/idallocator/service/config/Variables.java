package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.EnvironmentVariableSubstitutor;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Variables of the environment in a configuration file. Those that are set, or have a default, are put into the text, as in every
 * Dropwizard program. {@code ${NOPE}}, which is neither, stays in the text, and so does {@code $${NOPE}}, which is no variable;
 * only in the tree can a value that nobody needs be told from one that is missing.
 */
final class Variables {
    private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\$\\{([^${}]+)}");

    private Variables() {}

    /** A value that needs variables which are not set; it stands in the tree until something else is put there. */
    private record Unset(List<String> names) {}

    /** Puts variables into what another provider reads. */
    static ConfigurationSourceProvider in(ConfigurationSourceProvider files) {
        return new SubstitutingSourceProvider(
                files, new EnvironmentVariableSubstitutor(false).setPreserveEscapes(true));
    }

    /** Marks the values that miss a variable, and takes the mark off what is no variable. */
    static void mark(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> object.set(name, marked(object.get(name))));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, marked(array.get(i)));
            }
        }
    }

    private static JsonNode marked(JsonNode value) {
        if (!value.isTextual()) {
            mark(value);
            return value;
        }
        List<String> unset = VARIABLE.matcher(value.textValue())
                .results()
                .map(variable -> variable.group(1))
                .distinct()
                .toList();
        return unset.isEmpty()
                ? TextNode.valueOf(value.textValue().replace("$${", "${"))
                : new POJONode(new Unset(unset));
    }

    /** Takes the marked values that are left for none, and notes which variables they need. */
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
        if (value instanceof POJONode marked && marked.getPojo() instanceof Unset unset) {
            for (String name : unset.names()) {
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
