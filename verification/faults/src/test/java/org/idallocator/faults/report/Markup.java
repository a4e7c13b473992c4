package org.idallocator.faults.report;

import java.util.Locale;

/** Text of HTML and SVG. Only {@link #raw} takes markup; everything else is escaped, in attributes as well. */
final class Markup {
    private final StringBuilder out = new StringBuilder();

    /** Markup as it is. */
    Markup raw(String markup) {
        out.append(markup).append('\n');
        return this;
    }

    /** An element with text in it; {@code attributes} are names and values by turns. */
    Markup element(String name, String text, Object... attributes) {
        open(name, attributes);
        out.append(escape(text));
        return close(name);
    }

    /** An element's begin. */
    Markup open(String name, Object... attributes) {
        out.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(text(attributes[i + 1])))
                    .append('"');
        }
        out.append('>');
        return this;
    }

    Markup close(String name) {
        out.append("</").append(name).append(">\n");
        return this;
    }

    private static String text(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : value.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
