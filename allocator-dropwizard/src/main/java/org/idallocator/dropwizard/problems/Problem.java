package org.idallocator.dropwizard.problems;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.idallocator.dropwizard.api.Json;
import org.jspecify.annotations.Nullable;

/**
 * An error in the shape of RFC 9457.
 *
 * @param kind what kind of error the allocator tells; null for an error of the web server, or of Jersey
 * @param type {@code urn:id-allocator:} and the code of the kind of error
 * @param title the kind of error in two or three words
 * @param status the HTTP status
 * @param detail what is wrong in this case, in one line
 * @param reason the code of the reason why a scheme issues nothing; null for every other error
 * @param help the path at which the service says what to do; null where it says nothing
 * @param retryAfter the whole seconds, 1 or more, after which the caller may ask again, for a header of the answer;
 *     empty where asking again would not help
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"type", "title", "status", "detail", "reason", "help"})
public record Problem(
        @JsonIgnore @Nullable ProblemType kind,
        String type,
        String title,
        int status,
        String detail,
        @Nullable String reason,
        @Nullable String help,
        @JsonIgnore OptionalLong retryAfter) {
    static final String TYPE_PREFIX = "urn:id-allocator:";

    /** Whether this is a state of the replica: a problem with a reason or with a time to ask again. */
    @JsonIgnore
    boolean isState() {
        return reason != null || retryAfter.isPresent();
    }

    /** The guide has a section on each state, and on what may come of a wrong clock. */
    private boolean hasSection() {
        return isState() || kind == ProblemType.TOO_FAR_AHEAD;
    }

    /**
     * A copy with the path of the guide's section, if there is one; else this.
     *
     * @param root the path below which the routes are, such as {@code /}
     */
    public Problem withHelp(String root) {
        String name = reason == null ? type.substring(TYPE_PREFIX.length()) : reason;
        return hasSection()
                ? new Problem(kind, type, title, status, detail, reason, root + "problems/" + name, retryAfter)
                : this;
    }

    /** The media type of the {@link #body}. */
    static String mediaType(boolean text) {
        return text ? "text/plain;charset=utf-8" : "application/problem+json";
    }

    /**
     * Answers a request with one line of text if {@code text} is true (see {@link AcceptHeader}), else with JSON. For
     * the allocator's own servlets: in another program, the web server's errors look as that program likes.
     */
    public void write(boolean text, HttpServletResponse response) throws IOException {
        retryAfter.ifPresent(seconds -> response.setHeader("Retry-After", Long.toString(seconds)));
        response.setStatus(status);
        response.setContentType(mediaType(text));
        response.getOutputStream().write(body(text));
    }

    /** The detail as one line of text, or the whole problem as one line of JSON. */
    byte[] body(boolean text) {
        return (text ? detail + "\n" : Json.line(this)).getBytes(StandardCharsets.UTF_8);
    }
}
