package org.idallocator.zk.model;

import java.util.ArrayList;
import java.util.List;

/** Reads expressions from a text. A comment goes from a semicolon to the end of its line. */
final class ExpressionReader {
    private static final String ENDS_AN_ATOM = "()\"; \t\r\n";

    private final String text;
    private int at;

    private ExpressionReader(String text) {
        this.text = text;
    }

    /**
     * Reads all expressions of a text.
     *
     * @throws IllegalArgumentException where parentheses or quotes do not match
     */
    static List<Expression> read(String text) {
        ExpressionReader reader = new ExpressionReader(text);
        List<Expression> all = new ArrayList<>();
        while (reader.skipToNext()) {
            all.add(reader.next());
        }
        return all;
    }

    /** Passes over blanks and comments. False at the end of the text. */
    private boolean skipToNext() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ';') {
                at = endOf("\n", at);
            } else if (Character.isWhitespace(c)) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    private Expression next() {
        char c = text.charAt(at);
        if (c == ')') {
            throw new IllegalArgumentException("a parenthesis too many: " + text.substring(Math.max(0, at - 80), at));
        }
        if (c == '(') {
            return list();
        }
        int start = at;
        if (c == '"') {
            at = endOf("\"", at + 1);
        } else {
            while (at < text.length() && ENDS_AN_ATOM.indexOf(text.charAt(at)) < 0) {
                at++;
            }
        }
        return Expression.of(text.substring(start, at));
    }

    private Expression list() {
        int start = at++;
        List<Expression> parts = new ArrayList<>();
        while (skipToNext()) {
            if (text.charAt(at) == ')') {
                at++;
                return Expression.of(parts);
            }
            parts.add(next());
        }
        throw new IllegalArgumentException(
                "a parenthesis is missing: " + text.substring(start, Math.min(text.length(), start + 80)));
    }

    private int endOf(String mark, int from) {
        int found = text.indexOf(mark, from);
        if (found < 0) {
            throw new IllegalArgumentException("no end of " + text.substring(from - 1));
        }
        return found + mark.length();
    }
}
