package org.idallocator.service.problems;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * An error in the shape of RFC 9457.
 *
 * @param type {@code urn:id-allocator:} and a name of the kind of error
 * @param title the kind of error in two or three words
 * @param status the HTTP status
 * @param detail what is wrong here, in one line
 * @param reason the code of the reason why a scheme issues nothing; null for every other error
 * @param help the path at which the service tells what to do about that; null where it tells nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"type", "title", "status", "detail", "reason", "help"})
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String reason,
        @Nullable String help) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** The media type of {@link #line}. */
    public static final String LINE_TYPE = "text/plain;charset=utf-8";

    private static final String TYPE_PREFIX = "urn:id-allocator:";

    static Problem of(String type, String title, int status, String detail, @Nullable String reason) {
        return new Problem(TYPE_PREFIX + type, title, status, visible(detail), reason, null);
    }

    /**
     * The same with the path of what the guide says, where it says something.
     *
     * @param root what the routes are below, such as {@code /}
     */
    public Problem withHelp(String root) {
        String name = reason == null ? type.substring(TYPE_PREFIX.length()) : reason;
        return Guide.section(name)
                .map(section -> new Problem(type, title, status, detail, reason, root + "problems/" + name))
                .orElse(this);
    }

    /** A text of unknown origin on one line, with the code points in place of what would steer a terminal. */
    private static String visible(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .forEach(each -> shown.append(isVisible(each) ? Character.toString(each) : "<U+%04X>".formatted(each)));
        return shown.toString();
    }

    private static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE -> false;
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** The one line for clients that asked for text. */
    public String line() {
        return detail + "\n";
    }
}
