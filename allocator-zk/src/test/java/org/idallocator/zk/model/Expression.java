package org.idallocator.zk.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An S-expression: an atom, or a list of expressions in parentheses. The models are made of these, and SMT-LIB is. */
public sealed interface Expression {
    /** A name, a number, or a text with its quotes. */
    record Atom(String text) implements Expression {
        @Override
        public String head() {
            return text;
        }

        @Override
        public List<Expression> parts() {
            return List.of();
        }

        @Override
        public Expression substitute(Map<String, Expression> values) {
            return values.getOrDefault(text, this);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A list in parentheses. */
    record Compound(List<Expression> parts) implements Expression {
        public Compound {
            parts = List.copyOf(parts);
        }

        @Override
        public String head() {
            return !parts.isEmpty() && parts.get(0) instanceof Atom atom ? atom.text() : "";
        }

        @Override
        public Expression substitute(Map<String, Expression> values) {
            return new Compound(
                    parts.stream().map(part -> part.substitute(values)).toList());
        }

        @Override
        public String toString() {
            return parts.stream().map(Expression::toString).collect(Collectors.joining(" ", "(", ")"));
        }
    }

    static Expression of(String text) {
        return new Atom(text);
    }

    static Expression of(List<Expression> parts) {
        return new Compound(parts);
    }

    static Expression of(String head, Expression... rest) {
        List<Expression> parts = new ArrayList<>(List.of(of(head)));
        parts.addAll(List.of(rest));
        return of(parts);
    }

    /** The atom itself, or the atom that the list begins with; empty where it begins with none. */
    String head();

    /** The parts of a list; of an atom there are none. */
    List<Expression> parts();

    /** Where an atom is one of these names, its value takes its place. */
    Expression substitute(Map<String, Expression> values);

    /** The part at an index; 0 is the head. */
    default Expression at(int index) {
        return parts().get(index);
    }

    /** The parts from an index on. */
    default List<Expression> from(int index) {
        return parts().subList(index, parts().size());
    }

    /** What a quoted text says. */
    default String unquoted() {
        return head().substring(1, head().length() - 1);
    }
}
