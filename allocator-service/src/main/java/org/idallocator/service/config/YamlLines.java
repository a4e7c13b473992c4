package org.idallocator.service.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * In which line of a YAML file each key is. Dropwizard reads the file into a tree first, and a tree has no lines. Keys are named
 * by their paths: {@code server.applicationConnectors[0].port}.
 */
final class YamlLines {
    private static final int DEEPEST = 50;

    private final Map<String, Integer> lines = new HashMap<>();
    private final List<String> twice = new ArrayList<>();

    private YamlLines() {}

    /**
     * Finds the keys of a file.
     *
     * @throws BadConfigurationException saying where the text is no YAML, and why
     */
    static YamlLines of(String path, String text) throws BadConfigurationException {
        YamlLines lines = new YamlLines();
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (root != null) {
                lines.add("", root, 0);
            }
            return lines;
        } catch (MarkedYAMLException e) {
            throw new BadConfigurationException(path, List.of(where(e.getProblemMark()) + "no YAML: " + why(e)), e);
        }
    }

    private static String where(Mark mark) {
        return mark == null ? "" : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": ";
    }

    private static String why(MarkedYAMLException e) {
        return e.getProblem() == null ? String.valueOf(e.getContext()) : e.getProblem();
    }

    private void add(String path, Node node, int depth) {
        if (depth > DEEPEST) {
            return; // an anchor inside what it names
        }
        if (node instanceof MappingNode mapping) {
            for (NodeTuple each : mapping.getValue()) {
                if (each.getKeyNode() instanceof ScalarNode key) {
                    add(path, key, each.getValueNode(), depth);
                }
            }
        } else if (node instanceof SequenceNode sequence) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                Node item = sequence.getValue().get(i);
                lines.put(path + "[" + i + "]", line(item));
                add(path + "[" + i + "]", item, depth + 1);
            }
        }
    }

    private void add(String parent, ScalarNode key, Node value, int depth) {
        String path = parent.isEmpty() ? key.getValue() : parent + "." + key.getValue();
        Integer before = lines.putIfAbsent(path, line(key));
        if (before != null) {
            twice.add(at(Optional.of(line(key))) + path + " is there already, in line " + before);
        }
        add(path, value, depth + 1);
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /** A mistake for each key that is there twice: only the last would count. */
    List<String> twice() {
        return twice;
    }

    /** {@code line 7: } for the line of a key, or of the nearest key above it that the file has; else nothing. */
    String before(String path) {
        String at = path;
        while (!at.isEmpty() && !lines.containsKey(at)) {
            int last = Math.max(at.lastIndexOf('.'), at.lastIndexOf('['));
            at = last < 0 ? "" : at.substring(0, last);
        }
        return at(Optional.ofNullable(lines.get(at)));
    }

    private static String at(Optional<Integer> line) {
        return line.map(number -> "line " + number + ": ").orElse("");
    }
}
