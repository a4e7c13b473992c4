package org.idallocator.zk.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.zk.model.Model.Action;
import org.idallocator.zk.model.Model.Change;
import org.idallocator.zk.model.Model.Invariant;
import org.idallocator.zk.model.Model.Parameter;
import org.idallocator.zk.model.Model.Variable;

/**
 * One query of an induction, in SMT-LIB: the invariant holds, an action is taken, and one part of the invariant is
 * broken. Nothing satisfies it where the action keeps that part.
 *
 * <p>The query has no quantifiers, so the solver always answers, and soon. The invariant is told of those elements
 * alone that the action and the part name, and, round by round, of those that are named by what was told. Each of these
 * sentences follows from the invariant. So where nothing satisfies the query, the action keeps the part, whatever else
 * there is.
 */
final class StepQuery {
    /** In a change, the argument that stands for all. */
    private static final Expression EVERYWHERE = Expression.of("*");

    private final Model model;
    private final Map<String, String> constants = new LinkedHashMap<>(); // the sort of each
    private final Map<String, Set<Expression>> elements = new LinkedHashMap<>(); // those that are named, by their sort
    private int others;

    private StepQuery(Model model) {
        this.model = model;
        model.sorts().forEach(sort -> elements.put(sort, new LinkedHashSet<>()));
    }

    /** Whether the action changes anything that this part of the invariant is about. */
    static boolean mayChange(Action action, Invariant part) {
        return !inStateAfter(action, part.holds()).equals(part.holds());
    }

    /** Whether a part is broken at first. */
    static String atFirst(Model model, Invariant part) {
        List<Change> changes = new ArrayList<>();
        for (Variable variable : model.variables().values()) {
            changes.add(new Change(
                    variable.name(), variable.arguments().isEmpty() ? null : EVERYWHERE, variable.initially()));
            variable.points().forEach((at, value) -> changes.add(new Change(variable.name(), at, value)));
        }
        Action begins = new Action("", List.of(), "", List.of(), List.of(), changes);
        return new StepQuery(model).write(begins, Set.of(), part, 0);
    }

    /** Whether a part may be broken by an action, told in so many rounds. */
    static String after(Model model, Action action, Set<String> without, Invariant part, int rounds) {
        Map<String, Expression> names = action.parameters().stream()
                .collect(Collectors.toMap(Parameter::name, each -> Expression.of("the." + each.name())));
        return new StepQuery(model).write(action.renamed(names), without, part, rounds);
    }

    private String write(Action action, Set<String> without, Invariant part, int rounds) {
        action.parameters().forEach(each -> constants.put(each.name(), each.sort()));
        Expression broken = broken(inStateAfter(action, part.holds()));
        List<Expression> conditions = action.conditions(without);
        conditions.forEach(this::findElements);
        findElements(broken);
        Set<Expression> told = told(rounds);

        StringBuilder query = new StringBuilder("(set-logic ALL)\n").append(model.declarations());
        constants.forEach((name, sort) -> query.append("(declare-fun %s () %s)\n".formatted(name, sort)));
        told.forEach(each -> query.append("(assert %s)\n".formatted(each)));
        conditions.forEach(each -> query.append("(assert %s)\n".formatted(each)));
        return query.append("(assert %s)\n".formatted(broken)).toString();
    }

    /** What axioms say, and the invariant where there is a state before, of the elements that are named. */
    private Set<Expression> told(int rounds) {
        List<Expression> known = new ArrayList<>(model.axioms());
        if (rounds > 0) {
            model.invariants().forEach(invariant -> known.add(invariant.holds()));
        }
        Set<Expression> told = new LinkedHashSet<>();
        for (int round = 0; round < Math.max(1, rounds); round++) {
            Map<String, List<Expression>> named = new HashMap<>();
            elements.forEach((sort, ofIt) -> named.put(sort, List.copyOf(ofIt)));
            known.forEach(each -> told.addAll(told(each, named)));
            told.forEach(this::findElements);
        }
        return told;
    }

    /**
     * What {@code expression} says of these elements. A forall is in a conjunction, or behind an implication, or
     * outermost.
     */
    private static List<Expression> told(Expression expression, Map<String, List<Expression>> named) {
        return switch (expression.head()) {
            case "forall" -> {
                List<Expression> told = List.of(expression.at(2));
                for (Parameter bound : Parameter.all(expression.at(1).parts())) {
                    List<Expression> ofAll = new ArrayList<>();
                    for (Expression each : told) {
                        Objects.requireNonNull(named.get(bound.sort()))
                                .forEach(element -> ofAll.add(each.substitute(Map.of(bound.name(), element))));
                    }
                    told = ofAll;
                }
                yield told;
            }
            case "and" ->
                expression.from(1).stream()
                        .flatMap(part -> told(part, named).stream())
                        .toList();
            case "=>" ->
                told(expression.at(2), named).stream()
                        .map(part -> Expression.of("=>", expression.at(1), part))
                        .toList();
            default -> List.of(expression);
        };
    }

    /** What holds after the action if {@code expression} does, in terms of the state before. */
    private static Expression inStateAfter(Action action, Expression expression) {
        if (expression.parts().isEmpty()) {
            return action.changes().stream()
                    .filter(change -> change.at() == null && change.variable().equals(expression.head()))
                    .map(Change::value)
                    .findFirst()
                    .orElse(expression);
        }
        List<Expression> parts = new ArrayList<>(List.of(expression.at(0)));
        expression.from(1).forEach(part -> parts.add(inStateAfter(action, part)));
        Expression value = Expression.of(parts);
        for (Change change : action.changes()) {
            Expression at = change.at();
            if (at != null && change.variable().equals(expression.head())) {
                Expression asked = parts.get(1);
                value = at.equals(EVERYWHERE) || at.equals(asked)
                        ? change.value()
                        : Expression.of("ite", Expression.of("=", asked, at), change.value(), value);
            }
        }
        return value;
    }

    /** The negation: what is said of all is broken by some element, which gets a name. */
    private Expression broken(Expression expression) {
        return switch (expression.head()) {
            case "forall" -> {
                Map<String, Expression> some = new HashMap<>();
                for (Parameter bound : Parameter.all(expression.at(1).parts())) {
                    String name = "other." + ++others;
                    constants.put(name, bound.sort());
                    some.put(bound.name(), Expression.of(name));
                }
                yield broken(expression.at(2).substitute(some));
            }
            case "and" -> {
                List<Expression> either = new ArrayList<>(List.of(Expression.of("or"), Expression.of("false")));
                expression.from(1).forEach(part -> either.add(broken(part)));
                yield Expression.of(either);
            }
            case "=>" -> Expression.of("and", expression.at(1), broken(expression.at(2)));
            default -> Expression.of("not", expression);
        };
    }

    private void findElements(Expression expression) {
        String sort = constants.getOrDefault(expression.head(), model.sortOf(expression.head()));
        if (sort != null && elements.containsKey(sort)) {
            elements.get(sort).add(expression);
        }
        expression.parts().stream().skip(1).forEach(this::findElements);
    }
}
