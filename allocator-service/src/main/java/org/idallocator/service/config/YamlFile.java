package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * A YAML file as a tree, with variables replaced, and in which line each key is. A single value that is no text to YAML, but
 * would be another text when written again, such as {@code 0123} or {@code 1_000}, is in the tree as it was written. Keys are
 * named by their paths: {@code server.applicationConnectors[0].port}.
 */
final class YamlFile {
    /** What a decoder puts in the place of bytes that are no UTF-8. */
    private static final char UNDECODED = '\uFFFD';

    private static final Resolver KINDS = new Resolver();
    private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]*");
    private static final Pattern TRUTH = Pattern.compile("true|false");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Variables variables;
    private final Findings found;
    private final Map<String, Integer> lines = new HashMap<>();
    private final Map<String, Set<String>> sources = new HashMap<>();
    private final JsonNode tree;

    private YamlFile(Node root, Variables variables, Findings found) {
        this.variables = variables;
        this.found = found;
        this.tree = read("", root);
    }

    /**
     * Reads a file, and notes keys that are there twice: only the last would count.
     *
     * @return empty when the file has nothing but comments
     * @throws BadConfigurationException saying where the text is no YAML, and why; the text itself is not repeated
     */
    static Optional<YamlFile> of(String path, String text, Variables variables, Findings found)
            throws BadConfigurationException {
        String hidden = Variables.hide(text);
        try {
            requireText(path, text);
            for (Event event : new Yaml(new LoaderOptions()).parse(new StringReader(hidden))) {
                if (event instanceof AliasEvent) {
                    throw bad(
                            path,
                            where(event.getStartMark()),
                            "write the value again: an alias, as in *name, is not read");
                }
            }
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(hidden));
            return root == null || root.getTag().equals(Tag.NULL)
                    ? Optional.empty()
                    : Optional.of(new YamlFile(root, variables, found));
        } catch (MarkedYAMLException e) {
            throw new BadConfigurationException(path, List.of(where(e.getProblemMark()) + "no YAML: " + why(e)), e);
        } catch (ReaderException e) {
            throw bad(path, lineOf(text, e.getPosition()), "no text: a configuration has no control characters");
        } catch (YAMLException e) {
            throw new BadConfigurationException(path, List.of("no YAML that can be read: " + e.getMessage()), e);
        }
    }

    private static void requireText(String path, String text) throws BadConfigurationException {
        int undecoded = text.indexOf(UNDECODED);
        if (undecoded >= 0) {
            throw bad(path, lineOf(text, undecoded), "no text in UTF-8");
        }
    }

    private static BadConfigurationException bad(String path, String where, String why) {
        return new BadConfigurationException(path, List.of(where + why));
    }

    private static String lineOf(String text, int position) {
        long breaks = text.chars().limit(position).filter(each -> each == '\n').count();
        return "line " + (breaks + 1) + ": ";
    }

    private static String where(Mark mark) {
        return mark == null ? "" : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": ";
    }

    /** Names of the file's own, which some problems end with, are left out. */
    private static String why(MarkedYAMLException e) {
        String problem = e.getProblem() == null ? String.valueOf(e.getContext()) : e.getProblem();
        return problem.replaceFirst("(undefined tag handle) .*", "$1");
    }

    private JsonNode read(String path, Node node) {
        if (node instanceof MappingNode mapping) {
            ObjectNode object = NODES.objectNode();
            mapping.getValue().forEach(each -> add(object, path, each));
            return object;
        }
        if (node instanceof SequenceNode sequence) {
            ArrayNode array = NODES.arrayNode();
            for (Node item : sequence.getValue()) {
                String place = path + "[" + array.size() + "]";
                lines.put(place, line(item));
                array.add(read(place, item));
            }
            return array;
        }
        return single(path, (ScalarNode) node);
    }

    private void add(ObjectNode object, String parent, NodeTuple each) {
        if (!(each.getKeyNode() instanceof ScalarNode key)) {
            found.add(parent, (parent.isEmpty() ? "the file" : parent) + " has a key that is no single text");
            return;
        }
        String name = Variables.shown(key.getValue());
        String path = parent.isEmpty() ? name : parent + "." + name;
        Optional.ofNullable(lines.put(path, line(key)))
                .ifPresent(before -> found.add(path, path + " is there already, in line " + before));
        if (!name.equals(key.getValue())) {
            found.add(path, path + " must be a key as it is: a variable stands for a value only");
        }
        object.set(name, read(path, each.getValueNode()));
    }

    /** What YAML makes of a value that is not quoted depends on what the variables in that are. */
    private JsonNode single(String path, ScalarNode node) {
        if (node.getTag().equals(Tag.BINARY)) {
            found.add(
                    path, (path.isEmpty() ? "the file" : path) + " must be a text that can be read, without !!binary");
            return NODES.nullNode();
        }
        Variables.Replaced replaced = variables.replace(Variables.shown(node.getValue()));
        if (!replaced.unset().isEmpty()) {
            return NODES.pojoNode(replaced);
        }
        if (!replaced.used().isEmpty()) {
            sources.put(path, replaced.used());
        }
        boolean same = replaced.text().equals(node.getValue());
        return typed(
                same || !node.isPlain() ? node.getTag() : KINDS.resolve(NodeId.scalar, replaced.text(), true),
                replaced.text());
    }

    private static JsonNode typed(Tag kind, String text) {
        if (kind.equals(Tag.NULL)) {
            return NODES.nullNode();
        }
        if (kind.equals(Tag.BOOL) && TRUTH.matcher(text).matches()) {
            return NODES.booleanNode(Boolean.parseBoolean(text));
        }
        if (kind.equals(Tag.INT) && WHOLE.matcher(text).matches()) {
            BigInteger number = new BigInteger(text);
            return number.bitLength() < Integer.SIZE ? NODES.numberNode(number.intValue()) : NODES.numberNode(number);
        }
        if (kind.equals(Tag.FLOAT) && isWrittenAgain(text)) {
            return NODES.numberNode(Double.parseDouble(text));
        }
        return NODES.textNode(text);
    }

    private static boolean isWrittenAgain(String number) {
        try {
            return Double.toString(Double.parseDouble(number)).equals(number);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /** The file's root. Where a variable is not set, there is a {@link Variables.Replaced}. */
    JsonNode tree() {
        return tree;
    }

    /** The variables of the environment that a key's value is from; empty when the file has the value, or a default. */
    Set<String> sources(String path) {
        return sources.getOrDefault(path, Set.of());
    }

    /** The line of a key, or of the nearest key above it that the file has; empty where there is none. */
    OptionalInt line(String path) {
        String at = path;
        while (!at.isEmpty() && !lines.containsKey(at)) {
            int last = Math.max(at.lastIndexOf('.'), at.lastIndexOf('['));
            at = last < 0 ? "" : at.substring(0, last);
        }
        Integer line = lines.get(at);
        return line == null ? OptionalInt.empty() : OptionalInt.of(line);
    }
}
