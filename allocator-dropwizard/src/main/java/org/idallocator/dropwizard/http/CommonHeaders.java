package org.idallocator.dropwizard.http;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Response;

/**
 * Headers that many answers have in common, whether a Jetty handler, a servlet or Jersey writes the answer. A header
 * that is the same in every answer belongs to {@link #EVERYWHERE}. Putting a header into an answer replaces the
 * answer's header of that name; but the {@code Vary} of a handler's answer is extended. Immutable.
 */
public final class CommonHeaders {
    /** For every answer: no cache may keep one, so that none hands out an ID twice. */
    public static final CommonHeaders EVERYWHERE = of(new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store"));

    /** For an answer that depends on what the client accepts. */
    public static final CommonHeaders BY_ACCEPT = of(new PreEncodedHttpField(HttpHeader.VARY, "Accept"));

    private static final CommonHeaders BY_ACCEPT_AND_ORIGIN =
            of(new PreEncodedHttpField(HttpHeader.VARY, "Accept, Origin"));

    /** For answers that no page of another origin may show or read. */
    public static final CommonHeaders AGAINST_OTHER_PAGES = of(
            new HttpField("X-Content-Type-Options", "nosniff"),
            new HttpField("X-Frame-Options", "DENY"),
            new HttpField("Referrer-Policy", "no-referrer"),
            new HttpField("Cross-Origin-Resource-Policy", "same-origin"));

    /** The headers that pages of allowed origins may read, beside those that browsers always let them read. */
    public static final Set<String> EXPOSED = Set.of(HttpHeader.RETRY_AFTER.asString());

    private final List<HttpField> fields;

    private CommonHeaders(List<HttpField> fields) {
        this.fields = fields;
    }

    private static CommonHeaders of(HttpField... fields) {
        return new CommonHeaders(List.of(fields));
    }

    /**
     * The {@code Vary} of a route's answer, which names the origin as well where pages of some other origins may read
     * answers.
     */
    public static CommonHeaders varying(boolean byOrigin) {
        return byOrigin ? BY_ACCEPT_AND_ORIGIN : BY_ACCEPT;
    }

    /** The headers, for an answer that has none of their names yet. */
    public List<HttpField> fields() {
        return fields;
    }

    /** Puts the headers into the answer of a handler. A {@code Vary} that the answer has already is extended. */
    public void putInto(Response answer) {
        HttpFields.Mutable headers = answer.getHeaders();
        for (HttpField field : fields) {
            if (field.getHeader() == HttpHeader.VARY && headers.contains(HttpHeader.VARY)) {
                headers.ensureField(field);
            } else {
                headers.put(field);
            }
        }
    }

    /** Puts the headers into the answer of a servlet. */
    public void putInto(HttpServletResponse answer) {
        fields.forEach(field -> answer.setHeader(field.getName(), field.getValue()));
    }

    /** Puts the headers into the headers of an answer of Jersey's. */
    public void putInto(MultivaluedMap<String, Object> answer) {
        fields.forEach(field -> answer.putSingle(field.getName(), field.getValue()));
    }
}
