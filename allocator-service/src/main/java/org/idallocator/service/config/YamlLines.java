package org.idallocator.service.config;

import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * In which line of a YAML file each key is. Dropwizard reads the file into a tree first, and a tree has no lines. Keys are named
 * by their paths: {@code server.applicationConnectors[0].port}.
 */
final class YamlLines {
    /** What a decoder puts in the place of bytes that are no UTF-8. */
    private static final char UNDECODED = '\uFFFD';

    private final Map<String, Integer> lines = new HashMap<>();

    private YamlLines() {}

    /**
     * Finds the keys of a file, and notes those that are there twice: only the last would count.
     *
     * @throws BadConfigurationException saying where the text is no YAML, and why; the text itself is not repeated
     */
    static YamlLines of(String path, String text, Findings found) throws BadConfigurationException {
        try {
            requireText(path, text);
            for (Event event : new Yaml(new LoaderOptions()).parse(new StringReader(text))) {
                if (event instanceof AliasEvent) {
                    throw bad(
                            path,
                            where(event.getStartMark()),
                            "write the value again: an alias, as in *name, is not read");
                }
            }
            YamlLines lines = new YamlLines();
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (root != null) {
                lines.add("", root, found);
            }
            return lines;
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

    private void add(String path, Node node, Findings found) {
        if (node instanceof MappingNode mapping) {
            for (NodeTuple each : mapping.getValue()) {
                if (each.getKeyNode() instanceof ScalarNode key) {
                    add(path, key, each.getValueNode(), found);
                }
            }
        } else if (node instanceof SequenceNode sequence) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                Node item = sequence.getValue().get(i);
                lines.put(path + "[" + i + "]", line(item));
                add(path + "[" + i + "]", item, found);
            }
        }
    }

    private void add(String parent, ScalarNode key, Node value, Findings found) {
        String path = parent.isEmpty() ? key.getValue() : parent + "." + key.getValue();
        Optional.ofNullable(lines.put(path, line(key)))
                .ifPresent(before -> found.add(path, path + " is there already, in line " + before));
        add(path, value, found);
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
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
