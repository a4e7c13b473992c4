package org.idallocator.zk.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.idallocator.zk.model.Model.Action;
import org.idallocator.zk.model.Model.Change;
import org.idallocator.zk.model.Model.Parameter;
import org.idallocator.zk.model.Model.Size;
import org.idallocator.zk.model.Model.Variable;

/**
 * A run of a model in a small world: actions with these names, one after the other, from the first state to one that is
 * asked for. It is written as a query in SMT-LIB that is satisfiable where there is such a run. Elements are whole
 * numbers there, and each function is a constant for each element.
 */
final class Run {
    /** Runs have numbers up to this; the lowest is -1. */
    private static final int LARGEST = 12;

    /** The arguments that a function of numbers may have in a run. */
    private static final List<String> NUMBERS = List.of("0", "1", "2", "3", "4", "5");

    private final Model model;
    private final Set<String> without;
    private final List<String> names;
    private final Map<String, Integer> sizes = new LinkedHashMap<>();
    private final StringBuilder query = new StringBuilder("(set-logic QF_LIA)\n");

    /**
     * @param without the guards that are left out
     * @param names the names of the actions
     * @param end what holds of the last state
     */
    Run(Model model, Set<String> without, List<String> names, Expression end) {
        this.model = model;
        this.without = without;
        this.names = names;
        model.sizes().forEach((sort, size) -> sizes.put(sort, size.count() + (size.eachAction() ? names.size() : 0)));
        model.enums().forEach((sort, values) -> sizes.put(sort, values.size()));
        sizes.keySet().forEach(sort -> line("(define-sort " + sort + " () Int)"));
        model.enums().values().forEach(this::defineInOrder);
        model.sizes().keySet().forEach(sort -> defineInOrder(elements(sort)));
        model.fixed().values().forEach(each -> declare(each.name(), each.arguments(), each.sort()));
        model.axioms().forEach(this::holdAxiom);
        IntStream.rangeClosed(0, names.size())
                .forEach(i -> model.variables()
                        .values()
                        .forEach(each -> declare(each.name() + "@" + i, each.arguments(), each.sort())));
        model.variables().values().forEach(this::holdAtFirst);
        for (int i = 0; i < names.size(); i++) {
            take(action(i), i);
        }
        hold(inState(end, names.size()));
    }

    boolean isPossible(Solver solver) {
        return solver.isSatisfiable(query.toString());
    }

    /** What happens, a sentence for each action; empty where there is no such run. */
    Optional<List<String>> inWords(Solver solver) {
        List<String> asked = new ArrayList<>();
        StringBuilder saying = new StringBuilder(query);
        for (int i = 0; i < names.size(); i++) {
            Action action = action(i);
            for (Expression said : saidIn(action)) {
                String name = "said." + asked.size();
                saying.append("(declare-fun %s () %s)\n".formatted(name, sortOf(action, said)));
                saying.append("(assert (= %s %s))\n".formatted(name, inState(said, i)));
                asked.add(name);
            }
        }
        return solver.values(saying.toString(), asked).map(this::words);
    }

    private List<String> words(Map<String, String> values) {
        List<String> words = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < names.size(); i++) {
            Action action = action(i);
            String text = action.says().get(0).unquoted();
            for (Expression said : saidIn(action)) {
                String value = named(values.getOrDefault("said." + next++, ""), sortOf(action, said));
                text = text.replaceFirst("%s", Matcher.quoteReplacement(value));
            }
            words.add(text);
        }
        return words;
    }

    private static List<Expression> saidIn(Action action) {
        return action.says().subList(1, action.says().size());
    }

    private String sortOf(Action action, Expression expression) {
        if (expression.head().equals("ite")) {
            return sortOf(action, expression.at(2));
        }
        String sort = action.parameters().stream()
                .filter(parameter -> parameter.name().equals(expression.head()))
                .map(Parameter::sort)
                .findFirst()
                .orElse(model.sortOf(expression.head()));
        return sort == null ? "Int" : sort;
    }

    /** People, and what acts like them, have letters; other elements have numbers. */
    private String named(String value, String sort) {
        if (sort.equals("Bool")) {
            return value;
        }
        int number = Integer.parseInt(value.replaceAll("[() ]", ""));
        if (sort.equals("Int")) {
            return "" + number;
        }
        List<String> values = model.enums().get(sort);
        if (values != null) {
            return values.get(number);
        }
        boolean acts = !Objects.requireNonNull(model.sizes().get(sort)).eachAction();
        return acts ? "" + (char) ('A' + number) : sort.toLowerCase(Locale.ROOT) + " " + number;
    }

    private void line(String line) {
        query.append(line).append('\n');
    }

    private void hold(Expression expression) {
        line("(assert " + expression + ")");
    }

    /** How many elements a sort has in this run. */
    private int size(String sort) {
        return Objects.requireNonNull(sizes.get(sort));
    }

    private List<String> elements(String sort) {
        return sort.equals("Int")
                ? NUMBERS
                : IntStream.range(0, size(sort)).mapToObj(i -> sort + "." + i).toList();
    }

    private void defineInOrder(List<String> elements) {
        for (int i = 0; i < elements.size(); i++) {
            line("(define-fun " + elements.get(i) + " () Int " + i + ")");
        }
    }

    /** A constant; or a constant for each element, and a function that chooses among them. */
    private void declare(String name, List<String> arguments, String sort) {
        if (arguments.isEmpty()) {
            declare(name, sort);
            return;
        }
        List<String> elements = elements(arguments.get(0));
        elements.forEach(element -> declare(name + "." + element, sort));
        String value = name + "." + elements.get(elements.size() - 1);
        for (int i = elements.size() - 2; i >= 0; i--) {
            value = "(ite (= x " + elements.get(i) + ") " + name + "." + elements.get(i) + " " + value + ")";
        }
        line("(define-fun " + name + " ((x Int)) " + sort + " " + value + ")");
    }

    private void declare(String name, String sort) {
        line("(declare-fun " + name + " () " + sort + ")");
        if (sort.equals("Int")) {
            line("(assert (and (<= (- 1) " + name + ") (<= " + name + " " + LARGEST + ")))");
        } else if (!sort.equals("Bool")) {
            line("(assert (and (<= 0 " + name + ") (< " + name + " " + size(sort) + ")))");
        }
    }

    private void holdAxiom(Expression axiom) {
        if (axiom.head().equals("forall")) {
            Parameter bound = Parameter.all(axiom.at(1).parts()).get(0);
            elements(bound.sort())
                    .forEach(element -> hold(axiom.at(2).substitute(Map.of(bound.name(), Expression.of(element)))));
        } else {
            hold(axiom);
        }
    }

    private void holdAtFirst(Variable variable) {
        String first = variable.name() + "@0";
        if (variable.arguments().isEmpty()) {
            hold(Expression.of("=", Expression.of(first), variable.initially()));
            return;
        }
        for (String element : elements(variable.arguments().get(0))) {
            Expression value = variable.initially();
            for (Map.Entry<Expression, Expression> point : variable.points().entrySet()) {
                Expression isPoint = Expression.of("=", Expression.of(element), point.getKey());
                value = Expression.of("ite", isPoint, point.getValue(), value);
            }
            hold(Expression.of("=", Expression.of(first + "." + element), value));
        }
    }

    /** The action in this place, whose parameters have names of their own there. */
    private Action action(int i) {
        Action action = model.action(names.get(i));
        return action.renamed(action.parameters().stream()
                .collect(Collectors.toMap(
                        Parameter::name, parameter -> Expression.of(parameter.name() + "@" + i + ".of"))));
    }

    private void take(Action action, int i) {
        action.parameters().forEach(parameter -> declare(parameter.name(), parameter.sort()));
        action.conditions(without).forEach(condition -> hold(inState(condition, i)));
        action.changes().forEach(change -> holdInOrder(change, i));
        model.variables().values().forEach(variable -> change(variable, action, i));
    }

    private void change(Variable variable, Action action, int i) {
        List<String> suffixes = variable.arguments().isEmpty()
                ? List.of("")
                : elements(variable.arguments().get(0)).stream()
                        .map(element -> "." + element)
                        .toList();
        for (String suffix : suffixes) {
            Expression value = Expression.of(variable.name() + "@" + i + suffix);
            for (Change change : action.changes()) {
                if (change.variable().equals(variable.name())) {
                    Expression to = inState(change.value(), i);
                    Expression at = change.at();
                    value = at == null ? to : Expression.of("ite", isAt(suffix, inState(at, i)), to, value);
                }
            }
            hold(Expression.of("=", Expression.of(variable.name() + "@" + (i + 1) + suffix), value));
        }
    }

    private static Expression isAt(String suffix, Expression at) {
        return Expression.of("=", at, Expression.of(suffix.substring(1)));
    }

    /** Elements come up in the order of their names: so no run is looked at twice, under other names. */
    private void holdInOrder(Change change, int i) {
        Expression at = change.at();
        model.sizes().forEach((sort, size) -> {
            if (at != null
                    && size.cameUp().equals(change.variable())
                    && change.value().head().equals("true")) {
                holdInOrder(elements(sort), size, inState(at, i), i);
            }
        });
    }

    private void holdInOrder(List<String> elements, Size size, Expression element, int i) {
        if (size.eachAction()) {
            hold(Expression.of("=", element, Expression.of(elements.get(i + 1))));
            return;
        }
        for (int n = 1; n < elements.size(); n++) {
            Expression isThis = Expression.of("=", element, Expression.of(elements.get(n)));
            hold(Expression.of("=>", isThis, Expression.of(size.cameUp() + "@" + i + "." + elements.get(n - 1))));
        }
    }

    /** The expression in the words of the state before action {@code i}. */
    private Expression inState(Expression expression, int i) {
        Map<String, Expression> then = new HashMap<>();
        model.variables().keySet().forEach(name -> then.put(name, Expression.of(name + "@" + i)));
        return expression.substitute(then);
    }
}
