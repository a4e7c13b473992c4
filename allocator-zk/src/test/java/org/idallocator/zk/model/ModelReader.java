package org.idallocator.zk.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.idallocator.zk.model.Model.Action;
import org.idallocator.zk.model.Model.Change;
import org.idallocator.zk.model.Model.Condition;
import org.idallocator.zk.model.Model.Control;
import org.idallocator.zk.model.Model.Fixed;
import org.idallocator.zk.model.Model.Invariant;
import org.idallocator.zk.model.Model.Parameter;
import org.idallocator.zk.model.Model.Possible;
import org.idallocator.zk.model.Model.Size;
import org.idallocator.zk.model.Model.Variable;

/**
 * Reads a model from its file. A file may extend another: then it has all items of the other, but for runs. What has
 * the name of an item of the other takes that one's place, and {@code (more ACTION …)} adds parameters, conditions and
 * changes to an action.
 */
public final class ModelReader {
    /** What the file that extends another does not take over: each file has runs of its own. */
    private static final Set<String> OF_ONE_FILE = Set.of("possible", "control");

    private static final Set<String> UNNAMED = Set.of("axiom", "possible", "control", "runs");

    /** A name that the models give to an expression with parameters. */
    private record Definition(List<Parameter> parameters, Expression body) {}

    private final String name;
    private final List<Expression> items;
    private final Map<String, Definition> definitions = new HashMap<>();
    private final Map<String, List<String>> enums = new LinkedHashMap<>();
    private final Map<String, Fixed> fixed = new LinkedHashMap<>();
    private final Map<String, Variable> variables = new LinkedHashMap<>();

    private ModelReader(String name, Collection<Expression> items) {
        this.name = name;
        this.items = List.copyOf(items);
    }

    /**
     * Reads a model.
     *
     * @param name the name of its file, without the ending
     * @throws IllegalArgumentException where the file is no model
     */
    public static Model read(String name) {
        return new ModelReader(name, items(name).values()).model();
    }

    /** The items of a file, and of the file that it extends, each by what it is and by its name. */
    private static Map<String, Expression> items(String name) {
        Map<String, Expression> items = new LinkedHashMap<>();
        for (Expression item : ExpressionReader.read(text(name))) {
            switch (item.head()) {
                case "extends" ->
                    items(item.at(1).head()).forEach((key, inherited) -> {
                        if (!OF_ONE_FILE.contains(inherited.head())) {
                            items.put(key, inherited);
                        }
                    });
                case "more" -> {
                    String action = "action " + item.at(1).head();
                    items.put(action, more(Objects.requireNonNull(items.get(action), action), item));
                }
                case "runs" -> items.put("runs", item);
                default -> items.put(UNNAMED.contains(item.head()) ? item.toString() : key(item), item);
            }
        }
        return items;
    }

    /** A safety is told from other invariants by its place alone: it is the last. */
    private static String key(Expression item) {
        return item.head() + " " + item.at(1).head();
    }

    private static Expression more(Expression action, Expression more) {
        List<Expression> parts = new ArrayList<>(action.parts());
        parts.set(
                2,
                Expression.of(Stream.concat(action.at(2).parts().stream(), more.at(2).parts().stream())
                        .toList()));
        parts.addAll(more.from(3));
        return Expression.of(parts);
    }

    private static String text(String name) {
        try (InputStream in = ModelReader.class.getResourceAsStream("/model/" + name + ".model")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Model model() {
        all("def")
                .forEach(def -> definitions.put(
                        def.at(1).head(), new Definition(Parameter.all(def.at(1).from(1)), expand(def.at(2)))));
        all("enum").forEach(each -> enums.put(nameOf(each), atoms(each.from(2))));
        all("fixed")
                .forEach(each -> fixed.put(
                        nameOf(each),
                        new Fixed(
                                nameOf(each),
                                atoms(each.at(2).parts()),
                                each.at(3).head())));
        all("var").forEach(each -> variables.put(nameOf(each), variable(each)));
        Map<String, Action> actions = new LinkedHashMap<>();
        all("action").forEach(each -> actions.put(nameOf(each), action(each)));
        return new Model(
                name,
                new LinkedHashSet<>(
                        all("sort").stream().map(ModelReader::nameOf).toList()),
                enums,
                fixed,
                all("axiom").stream().map(axiom -> expand(axiom.at(1))).toList(),
                variables,
                actions,
                Stream.concat(all("invariant").stream(), all("safety").stream())
                        .map(this::invariant)
                        .toList(),
                guards(),
                all("possible").stream()
                        .map(each -> new Possible(each.at(1).unquoted(), expand(each.at(2)), atoms(each.from(3))))
                        .toList(),
                all("control").stream()
                        .map(each -> new Control(nameOf(each), atoms(each.from(2))))
                        .toList(),
                sizes());
    }

    private List<Expression> all(String kind) {
        return items.stream().filter(item -> item.head().equals(kind)).toList();
    }

    private static String nameOf(Expression item) {
        return item.at(1).head();
    }

    private static List<String> atoms(List<Expression> parts) {
        return parts.stream().map(Expression::head).toList();
    }

    private Variable variable(Expression item) {
        Map<Expression, Expression> points = new LinkedHashMap<>();
        item.from(5).forEach(point -> points.put(point.at(0).at(0), point.at(1)));
        return new Variable(nameOf(item), atoms(item.at(2).parts()), item.at(3).head(), item.at(4), points);
    }

    private Invariant invariant(Expression item) {
        return new Invariant(nameOf(item), item.at(2).unquoted(), expand(item.at(3)));
    }

    private Action action(Expression item) {
        List<Parameter> parameters = Parameter.all(item.at(2).parts());
        parameters.forEach(parameter -> requireOneMeaning(item, parameter.name()));
        String code = "";
        List<Expression> says = List.of();
        List<Condition> conditions = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (Expression part : item.from(3)) {
            switch (part.head()) {
                case "code" -> code = part.at(1).unquoted();
                case "says" -> says = part.from(1).stream().map(this::expand).toList();
                case "when" -> part.from(1).forEach(each -> conditions.add(new Condition(null, expand(each))));
                case "guard" -> conditions.add(new Condition(nameOf(part), expand(part.at(2))));
                case "set" -> changes.add(change(part));
                default -> throw new IllegalArgumentException(part.toString());
            }
        }
        return new Action(nameOf(item), parameters, code, says, conditions, changes);
    }

    /** A parameter takes the place of whatever has its name, so it must have a name of its own. */
    private void requireOneMeaning(Expression action, String parameter) {
        if (fixed.containsKey(parameter)
                || variables.containsKey(parameter)
                || enums.values().stream().anyMatch(values -> values.contains(parameter))) {
            throw new IllegalArgumentException(nameOf(action) + ": " + parameter + " has two meanings");
        }
    }

    private Change change(Expression set) {
        Expression target = set.at(1);
        Variable variable = variables.get(target.head());
        boolean alone = target.parts().isEmpty();
        if (variable == null || variable.arguments().isEmpty() != alone) {
            throw new IllegalArgumentException(set.toString());
        }
        return new Change(variable.name(), alone ? null : expand(target.at(1)), expand(set.at(2)));
    }

    /** The guards that are in this file itself. */
    private Set<String> guards() {
        Set<String> guards = new LinkedHashSet<>();
        ExpressionReader.read(text(name)).stream()
                .flatMap(item -> item.parts().stream())
                .filter(part -> part.head().equals("guard"))
                .forEach(guard -> guards.add(nameOf(guard)));
        return guards;
    }

    private Map<String, Size> sizes() {
        Map<String, Size> sizes = new LinkedHashMap<>();
        all("runs").stream()
                .flatMap(runs -> runs.from(1).stream())
                .forEach(size -> sizes.put(
                        size.head(),
                        new Size(
                                Integer.parseInt(size.at(1).head()),
                                size.at(2).head(),
                                size.parts().size() > 3)));
        return sizes;
    }

    /** The expression, with the bodies of definitions for their names. */
    private Expression expand(Expression expression) {
        if (expression.parts().isEmpty()) {
            return expression;
        }
        List<Expression> parts = expression.parts().stream().map(this::expand).toList();
        Definition definition = definitions.get(expression.head());
        if (definition == null) {
            return Expression.of(parts);
        }
        if (definition.parameters().size() != parts.size() - 1) {
            throw new IllegalArgumentException(expression.toString());
        }
        Map<String, Expression> values = new HashMap<>();
        for (int i = 0; i < definition.parameters().size(); i++) {
            values.put(definition.parameters().get(i).name(), parts.get(i + 1));
        }
        return definition.body().substitute(values);
    }
}
