package org.idallocator.service.server;

import static org.eclipse.jetty.http.HttpHeader.ACCEPT;
import static org.eclipse.jetty.http.HttpHeader.ACCEPT_CHARSET;
import static org.eclipse.jetty.http.HttpHeader.CONTENT_ENCODING;
import static org.eclipse.jetty.http.HttpHeader.CONTENT_LENGTH;
import static org.eclipse.jetty.http.HttpHeader.EXPECT;
import static org.eclipse.jetty.http.HttpHeader.ORIGIN;
import static org.eclipse.jetty.http.HttpHeader.TRANSFER_ENCODING;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.http.Route;
import org.idallocator.dropwizard.ids.IdAnswer;
import org.idallocator.dropwizard.ids.IdRequest;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Media;
import org.jspecify.annotations.Nullable;

/**
 * The requests for one ID as most clients write them, each with an answer that is prepared once. A plain request is a
 * GET of the canonical target, with or without {@code form}. None of its headers changes the answer, but for an
 * {@code Accept} that is listed here. Every other request is unknown here. Immutable.
 */
final class PlainRequests {
    /**
     * The media type of the answer, by the whole value of {@code Accept}. Listed are each type by itself, and what
     * widely used clients send by default, word for word: axios and Angular; Spring for a String and for anything else;
     * Java's URLConnection.
     */
    private static final Map<String, Media> ACCEPTED = ImmutableMap.<String, Media>builder()
            .putAll(Maps.uniqueIndex(EnumSet.allOf(Media.class), Media::mediaType))
            .put("*/*", Media.TEXT)
            .put("application/json, text/plain, */*", Media.JSON)
            .put("text/plain, application/json, application/*+json, */*", Media.TEXT)
            .put("application/json, application/*+json", Media.JSON)
            .put("text/html, image/gif, image/jpeg, */*; q=0.2", Media.TEXT)
            .buildOrThrow();

    /** Headers that make a request not plain, as does a second {@code Accept}. No other header changes the answer. */
    private static final Set<HttpHeader> NOT_PLAIN =
            EnumSet.of(ACCEPT, ORIGIN, EXPECT, CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING, ACCEPT_CHARSET);

    private final Map<String, Map<Media, PreparedAnswer>> byTarget = new HashMap<>();

    /**
     * The plain requests for all schemes that are served.
     *
     * @param base what comes before the paths of the routes: nothing, or a path such as {@code /api}
     * @param vary the header that says what an answer depends on
     */
    PlainRequests(IdService ids, String base, CommonHeaders vary) {
        ids.source().schemes().forEach(scheme -> {
            String path = base + Route.IDS.path().replace("{scheme}", scheme.name());
            prepare(path, scheme, ids, vary);
        });
    }

    private <T extends Id> void prepare(String path, Scheme<T> scheme, IdService ids, CommonHeaders vary) {
        for (Form<T> form : Forms.all(scheme)) {
            IdRequest<T> one = new IdRequest<>(scheme, 1, false, scheme.defaultVariant(), form);
            Map<Media, PreparedAnswer> answers = Maps.immutableEnumMap(
                    Maps.toMap(EnumSet.allOf(Media.class), media -> prepared(ids.answer(one, media), media, vary)));
            byTarget.put(path + "?" + Forms.PARAMETER + "=" + form.name(), answers);
            if (form.name().equals(Form.CANONICAL)) {
                byTarget.put(path, answers);
            }
        }
    }

    private static PreparedAnswer prepared(IdAnswer answer, Media media, CommonHeaders vary) {
        HttpField type = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, media.mediaType());
        return new PreparedAnswer(
                answer,
                ImmutableList.<HttpField>builder()
                        .addAll(vary.fields())
                        .add(type)
                        .addAll(CommonHeaders.EVERYWHERE.fields())
                        .build());
    }

    /**
     * An answer that is prepared once, and draws its ID anew for each request.
     *
     * @param headers all headers of the answer but its length
     */
    record PreparedAnswer(IdAnswer answer, ImmutableList<HttpField> headers) {
        void putHeadersInto(HttpFields.Mutable fields) {
            for (int i = 0; i < headers.size(); i++) { // by index, because an iterator would be garbage
                fields.add(headers.get(i));
            }
        }
    }

    /** The answer to a request, found by its target as the client wrote it; null where the request is not plain. */
    @Nullable
    PreparedAnswer answerTo(@Nullable String method, @Nullable String target, HttpFields headers) {
        Map<Media, PreparedAnswer> answers = target == null ? null : byTarget.get(target);
        if (answers == null || !HttpMethod.GET.is(method)) {
            return null;
        }
        Media media = acceptedMedia(headers);
        return media == null ? null : answers.get(media);
    }

    private static @Nullable Media acceptedMedia(HttpFields headers) {
        String accept = null;
        for (int i = 0; i < headers.size(); i++) { // by place, because an iterator is garbage
            HttpField field = headers.getField(i);
            HttpHeader header = field.getHeader();
            if (header == ACCEPT && accept == null) {
                accept = String.valueOf(field.getValue());
            } else if (header != null && NOT_PLAIN.contains(header) && !saysNoBody(field)) {
                return null;
            }
        }
        return accept == null ? Media.TEXT : ACCEPTED.get(accept);
    }

    private static boolean saysNoBody(HttpField field) {
        return field.getHeader() == HttpHeader.CONTENT_LENGTH && "0".equals(field.getValue());
    }
}
