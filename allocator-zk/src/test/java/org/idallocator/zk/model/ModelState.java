package org.idallocator.zk.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.idallocator.zk.model.Model.Action;
import org.idallocator.zk.model.Model.Change;
import org.idallocator.zk.model.Model.Condition;
import org.idallocator.zk.model.Model.Fixed;
import org.idallocator.zk.model.Model.Invariant;
import org.idallocator.zk.model.Model.Parameter;
import org.idallocator.zk.model.Model.Variable;

/**
 * One state of a model, with values in it: it begins as the model says, and goes on by the model's actions. A value is
 * a {@code Long}, a {@code Boolean}, or the name of an element. What is fixed gets its values as they come up.
 */
public final class ModelState {
    /** The argument of what has none. */
    private static final String ALONE = "";

    private final Model model;
    private final Map<String, Map<Object, Object>> values = new HashMap<>();
    private final Map<String, Set<Object>> elements = new HashMap<>();

    /** The first state. */
    public ModelState(Model model) {
        this.model = model;
        model.sorts().forEach(sort -> elements.put(sort, new LinkedHashSet<>()));
    }

    /**
     * Why an action cannot be taken.
     *
     * @param guard the guard that does not hold; empty where it is another condition
     * @param words what does not hold, and what the values are
     */
    public record Refusal(String action, Optional<String> guard, String words) {}

    /** Says what a fixed constant is. */
    public void fix(String name, Object value) {
        fixOf(name, ALONE, value);
    }

    /** Says what a fixed function gives for this argument. */
    public void fixOf(String name, Object argument, Object value) {
        Fixed fixed = Objects.requireNonNull(model.fixed().get(name), name);
        if (!fixed.arguments().isEmpty()) {
            note(fixed.arguments().get(0), argument);
        }
        note(fixed.sort(), value);
        put(name, argument, value);
    }

    private void put(String name, Object argument, Object value) {
        values.computeIfAbsent(name, each -> new HashMap<>()).put(argument, value);
    }

    /** Elements come up where they are named first. */
    private void note(String sort, Object value) {
        Set<Object> ofSort = elements.get(sort);
        if (ofSort != null) {
            ofSort.add(value);
        }
    }

    /** The number that this is. */
    public long number(String name) {
        return (long) value(name, ALONE);
    }

    /** The number that this is of an element, or of a number. */
    public long number(String name, Object argument) {
        return (long) value(name, argument);
    }

    /** Whether this is so of an element. */
    public boolean isTrue(String name, String element) {
        return (boolean) value(name, element);
    }

    /** The name of the element, or of the value of an enum, that this is. */
    public String name(String name) {
        return (String) value(name, ALONE);
    }

    /** The same of an element. */
    public String name(String name, String element) {
        return (String) value(name, element);
    }

    /**
     * Takes an action, if all of its conditions hold; else says which does not, and changes nothing.
     *
     * @param then what variables without an argument were when whoever acts has looked at them; empty where that was
     *     just now
     * @param arguments one for each parameter of the action
     */
    public Optional<Refusal> take(String action, Map<String, Object> then, Object... arguments) {
        Action taken = model.action(action);
        Map<String, Object> names = names(taken, then, arguments);
        for (Condition condition : taken.conditions()) {
            if (!isTrue(condition.holds(), names)) {
                return Optional.of(new Refusal(action, guard(condition), words(condition.holds(), names)));
            }
        }
        List<Runnable> changes = new ArrayList<>();
        for (Change change : taken.changes()) {
            Object at = change.at() == null ? ALONE : value(change.at(), names);
            Object value = value(change.value(), names);
            changes.add(() -> put(change.variable(), at, value));
        }
        changes.forEach(Runnable::run);
        return Optional.empty();
    }

    private static Optional<String> guard(Condition condition) {
        return Optional.ofNullable(condition.guard());
    }

    private Map<String, Object> names(Action action, Map<String, Object> then, Object... arguments) {
        List<Parameter> parameters = action.parameters();
        if (parameters.size() != arguments.length) {
            throw new IllegalArgumentException(action.name() + " has " + parameters.size() + " parameters");
        }
        Map<String, Object> names = new HashMap<>(then);
        for (int i = 0; i < arguments.length; i++) {
            note(parameters.get(i).sort(), arguments[i]);
            names.put(parameters.get(i).name(), arguments[i]);
        }
        return names;
    }

    /** What happens where the action is taken, in the model's words. */
    public String inWords(String action, Map<String, Object> then, Object... arguments) {
        Action told = model.action(action);
        Map<String, Object> names = names(told, then, arguments);
        String text = told.says().get(0).unquoted();
        for (Expression said : told.says().subList(1, told.says().size())) {
            text = text.replaceFirst(
                    "%s", Matcher.quoteReplacement(value(said, names).toString()));
        }
        return text;
    }

    /** A condition, and what its parts are. */
    private String words(Expression condition, Map<String, Object> names) {
        Map<Expression, Object> parts = new LinkedHashMap<>();
        condition.parts().forEach(part -> findValues(part, names, parts));
        return condition
                + parts.entrySet().stream()
                        .map(part -> part.getKey() + " = " + part.getValue())
                        .collect(Collectors.joining(", ", ", where ", ""));
    }

    private void findValues(Expression part, Map<String, Object> names, Map<Expression, Object> found) {
        boolean valued = model.sortOf(part.head()) != null || names.containsKey(part.head());
        if (valued && isKnown(part, names)) {
            found.put(part, value(part, names));
        }
        part.parts().stream().skip(1).forEach(inner -> findValues(inner, names, found));
    }

    /** Whether this has a value: nothing may have been said of what no condition has asked for. */
    private boolean isKnown(Expression part, Map<String, Object> names) {
        if (part.parts().isEmpty()) {
            return names.containsKey(part.head()) || find(part.head(), ALONE).isPresent();
        }
        return isKnown(part.at(1), names)
                && find(part.head(), value(part.at(1), names)).isPresent();
    }

    /** A part of the invariant that does not hold in this state; empty where all do. */
    public Optional<Invariant> broken() {
        return model.invariants().stream()
                .filter(part -> !isTrue(part.holds(), Map.of()))
                .findFirst();
    }

    private Object value(String name, Object argument) {
        return find(name, argument)
                .orElseThrow(() -> new IllegalStateException("nothing is said of " + name + " " + argument));
    }

    /** What this is now, or was at first. */
    private Optional<Object> find(String name, Object argument) {
        Object now = values.getOrDefault(name, Map.of()).get(argument);
        if (now != null) {
            return Optional.of(now);
        }
        return Optional.ofNullable(model.variables().get(name)).map(variable -> atFirst(variable, argument));
    }

    private Object atFirst(Variable variable, Object argument) {
        return variable.points().entrySet().stream()
                .filter(point -> value(point.getKey(), Map.of()).equals(argument))
                .map(Map.Entry::getValue)
                .findFirst()
                .map(there -> value(there, Map.of()))
                .orElseGet(() -> value(variable.initially(), Map.of()));
    }

    /** The value of an expression, in which {@code names} stand for what they say. */
    private Object value(Expression expression, Map<String, Object> names) {
        if (expression.parts().isEmpty()) {
            return valueOfAtom(expression.head(), names);
        }
        return switch (expression.head()) {
            case "and" -> expression.from(1).stream().allMatch(part -> isTrue(part, names));
            case "or" -> expression.from(1).stream().anyMatch(part -> isTrue(part, names));
            case "not" -> !isTrue(expression.at(1), names);
            case "=>" -> !isTrue(expression.at(1), names) || isTrue(expression.at(2), names);
            case "ite" -> value(isTrue(expression.at(1), names) ? expression.at(2) : expression.at(3), names);
            case "=" -> value(expression.at(1), names).equals(value(expression.at(2), names));
            case "<" -> number(expression.at(1), names) < number(expression.at(2), names);
            case "<=" -> number(expression.at(1), names) <= number(expression.at(2), names);
            case ">" -> number(expression.at(1), names) > number(expression.at(2), names);
            case ">=" -> number(expression.at(1), names) >= number(expression.at(2), names);
            case "+" ->
                expression.from(1).stream()
                        .mapToLong(part -> number(part, names))
                        .sum();
            case "-" ->
                expression.parts().size() == 2
                        ? -number(expression.at(1), names)
                        : number(expression.at(1), names) - number(expression.at(2), names);
            case "forall" -> isTrueOfAll(Parameter.all(expression.at(1).parts()), expression.at(2), names);
            default -> value(expression.head(), value(expression.at(1), names));
        };
    }

    private Object valueOfAtom(String atom, Map<String, Object> names) {
        Object named = names.get(atom);
        if (named != null) {
            return named;
        }
        if (atom.equals("true") || atom.equals("false")) {
            return Boolean.valueOf(atom);
        }
        if (Character.isDigit(atom.charAt(0))) {
            return Long.valueOf(atom);
        }
        return model.sortOf(atom) == null ? atom : value(atom, ALONE); // else it is a value of an enum
    }

    private boolean isTrue(Expression expression, Map<String, Object> names) {
        return (boolean) value(expression, names);
    }

    private long number(Expression expression, Map<String, Object> names) {
        return (long) value(expression, names);
    }

    private boolean isTrueOfAll(List<Parameter> bound, Expression expression, Map<String, Object> names) {
        if (bound.isEmpty()) {
            return isTrue(expression, names);
        }
        Parameter first = bound.get(0);
        Map<String, Object> more = new HashMap<>(names);
        for (Object element : Objects.requireNonNull(elements.get(first.sort()), first.sort())) {
            more.put(first.name(), element);
            if (!isTrueOfAll(bound.subList(1, bound.size()), expression, more)) {
                return false;
            }
        }
        return true;
    }
}
