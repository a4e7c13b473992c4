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
 * The headers that answers have in common, whoever writes them: a handler of Jetty's, a servlet, or Jersey. A new
 * header that is the same in every answer is one more of {@link #EVERYWHERE}. Each takes the place of what an answer
 * has under its name; but a handler's answer goes on to depend on what it depends on already. Immutable.
 */
public final class CommonHeaders {
    /** Of every answer: no cache may keep one, so that none hands out an ID twice. */
    public static final CommonHeaders EVERYWHERE = of(new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store"));

    /** Of an answer that depends on what the client accepts. */
    public static final CommonHeaders BY_ACCEPT = of(new PreEncodedHttpField(HttpHeader.VARY, "Accept"));

    private static final CommonHeaders BY_ACCEPT_AND_ORIGIN =
            of(new PreEncodedHttpField(HttpHeader.VARY, "Accept, Origin"));

    /** Of what no page of elsewhere may show or read. */
    public static final CommonHeaders AGAINST_OTHER_PAGES = of(
            new HttpField("X-Content-Type-Options", "nosniff"),
            new HttpField("X-Frame-Options", "DENY"),
            new HttpField("Referrer-Policy", "no-referrer"),
            new HttpField("Cross-Origin-Resource-Policy", "same-origin"));

    /** What pages of allowed origins may read of an answer, beside what they may read of any. */
    public static final Set<String> EXPOSED = Set.of(HttpHeader.RETRY_AFTER.asString());

    private final List<HttpField> fields;

    private CommonHeaders(List<HttpField> fields) {
        this.fields = fields;
    }

    private static CommonHeaders of(HttpField... fields) {
        return new CommonHeaders(List.of(fields));
    }

    /** What answers of the routes depend on: on the origin, too, where pages of some origins may read them. */
    public static CommonHeaders varying(boolean byOrigin) {
        return byOrigin ? BY_ACCEPT_AND_ORIGIN : BY_ACCEPT;
    }

    /** The headers themselves, for an answer that has nothing else under their names. */
    public List<HttpField> fields() {
        return fields;
    }

    /**
     * Puts them into the answer of a handler. What this depends on already, such as the origin, it goes on to depend
     * on.
     */
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

    /** Puts them into the answer of a servlet. */
    public void putInto(HttpServletResponse answer) {
        fields.forEach(field -> answer.setHeader(field.getName(), field.getValue()));
    }

    /** Puts them into the headers of an answer of Jersey's. */
    public void putInto(MultivaluedMap<String, Object> answer) {
        fields.forEach(field -> answer.putSingle(field.getName(), field.getValue()));
    }
}
