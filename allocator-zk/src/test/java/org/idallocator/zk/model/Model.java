package org.idallocator.zk.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A model as its file says, with all definitions put in.
 *
 * @param name the file's name, without its ending
 * @param sorts the kinds of elements, of which there is any number
 * @param enums the kinds of which there are just these values
 * @param fixed what never changes, by name
 * @param axioms what holds of that
 * @param variables the state, by name
 * @param actions all that changes the state, by name
 * @param invariants what holds of every state; the last one is the safety
 * @param guards the guards that this file has, and not the one that it extends
 * @param possible what can happen: a model that cannot move proves nothing
 * @param controls what goes wrong without a guard
 * @param sizes how many elements of each sort there are in a run
 */
public record Model(
        String name,
        Set<String> sorts,
        Map<String, List<String>> enums,
        Map<String, Fixed> fixed,
        List<Expression> axioms,
        Map<String, Variable> variables,
        Map<String, Action> actions,
        List<Invariant> invariants,
        Set<String> guards,
        List<Possible> possible,
        List<Control> controls,
        Map<String, Size> sizes) {

    /** A name, and the sort of what it stands for. */
    public record Parameter(String name, String sort) {
        /** Reads {@code ((name sort) …)}. */
        public static List<Parameter> all(List<Expression> pairs) {
            return pairs.stream()
                    .map(pair -> new Parameter(pair.at(0).head(), pair.at(1).head()))
                    .toList();
        }
    }

    /** A function that never changes; a constant where it has no arguments. It has one argument at most. */
    public record Fixed(String name, List<String> arguments, String sort) {}

    /**
     * A part of the state: a function of one argument, or a value.
     *
     * @param initially its value at first
     * @param points arguments that have another value at first
     */
    public record Variable(
            String name,
            List<String> arguments,
            String sort,
            Expression initially,
            Map<Expression, Expression> points) {}

    /** A condition of an action; {@code guard} is null where no control leaves it out. */
    public record Condition(@Nullable String guard, Expression holds) {}

    /** A variable gets a value; {@code at} is the argument for which it does, and null where the variable has none. */
    public record Change(String variable, @Nullable Expression at, Expression value) {}

    /**
     * What changes the state in one step, if all conditions hold.
     *
     * @param code what it is in the code
     * @param says what happens, in words: a text, and what stands in it for each {@code %s}
     */
    public record Action(
            String name,
            List<Parameter> parameters,
            String code,
            List<Expression> says,
            List<Condition> conditions,
            List<Change> changes) {

        /** All conditions but the guards that are left out. */
        public List<Expression> conditions(Set<String> without) {
            return conditions.stream()
                    .filter(condition -> condition.guard() == null || !without.contains(condition.guard()))
                    .map(Condition::holds)
                    .toList();
        }

        public boolean has(String guard) {
            return conditions.stream().anyMatch(condition -> guard.equals(condition.guard()));
        }

        /** The same action, whose parameters have these names. */
        public Action renamed(Map<String, Expression> names) {
            return new Action(
                    name,
                    parameters.stream()
                            .map(parameter -> new Parameter(substitute(names, parameter), parameter.sort()))
                            .toList(),
                    code,
                    says.stream().map(part -> part.substitute(names)).toList(),
                    conditions.stream()
                            .map(condition -> new Condition(
                                    condition.guard(), condition.holds().substitute(names)))
                            .toList(),
                    changes.stream().map(change -> renamed(names, change)).toList());
        }

        private static String substitute(Map<String, Expression> names, Parameter parameter) {
            return Expression.of(parameter.name()).substitute(names).head();
        }

        private static Change renamed(Map<String, Expression> names, Change change) {
            Expression at = change.at();
            return new Change(
                    change.variable(),
                    at == null ? null : at.substitute(names),
                    change.value().substitute(names));
        }
    }

    /** What holds of every state, and a sentence that says so. */
    public record Invariant(String name, String words, Expression holds) {}

    /** With all guards, these actions can end in such a state. */
    public record Possible(String words, Expression end, List<String> actions) {}

    /** Without this guard, these actions can end in a state that is not safe. */
    public record Control(String guard, List<String> actions) {}

    /**
     * How many elements of a sort there are in a run.
     *
     * @param count how many, of which one need not come up: the one that stands for nobody, or nothing
     * @param cameUp the variable that is true of an element once it has come up
     * @param eachAction whether there is one more for each action
     */
    public record Size(int count, String cameUp, boolean eachAction) {}

    /** What all is about: the last invariant, which the others are there to prove. */
    public Invariant safety() {
        return invariants.get(invariants.size() - 1);
    }

    /**
     * The action of this name.
     *
     * @throws IllegalArgumentException where there is none
     */
    public Action action(String name) {
        Action action = actions.get(name);
        if (action == null) {
            throw new IllegalArgumentException("the model has no action " + name);
        }
        return action;
    }

    /** The sort of what begins with this name; null where that is neither fixed nor a variable. */
    public @Nullable String sortOf(String name) {
        Variable variable = variables.get(name);
        Fixed constant = fixed.get(name);
        return variable != null ? variable.sort() : constant != null ? constant.sort() : null;
    }

    /** Sorts, what is fixed, and the variables as functions, in SMT-LIB. */
    String declarations() {
        Stream<String> sorted = sorts.stream().map(sort -> "(declare-sort " + sort + " 0)\n");
        Stream<String> listed = enums.entrySet().stream()
                .map(each -> "(declare-datatypes ((" + each.getKey() + " 0)) (("
                        + each.getValue().stream()
                                .map(value -> "(" + value + ")")
                                .collect(Collectors.joining(" "))
                        + ")))\n");
        Stream<String> functions = Stream.concat(
                fixed.values().stream().map(each -> declaration(each.name(), each.arguments(), each.sort())),
                variables.values().stream().map(each -> declaration(each.name(), each.arguments(), each.sort())));
        return Stream.of(sorted, listed, functions).flatMap(lines -> lines).collect(Collectors.joining());
    }

    private static String declaration(String name, List<String> arguments, String sort) {
        return "(declare-fun " + name + " (" + String.join(" ", arguments) + ") " + sort + ")\n";
    }
}
