package org.idallocator.service.resources;

import jakarta.ws.rs.core.MultivaluedMap;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.glassfish.jersey.uri.UriComponent;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.health.FatalErrors;
import org.idallocator.service.ids.IdAnswer;
import org.idallocator.service.ids.IdRequest;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.MaxCounts;
import org.idallocator.service.ids.Media;
import org.jspecify.annotations.Nullable;

/**
 * Answers, in front of the servlets and of Jersey, a plain GET for one ID that can be drawn without waiting, over HTTP/1.1 or, as some
 * proxies ask, HTTP/1.0; and refuses one for IDs that has no room beside others. The answer is the one that {@link IdsResource} gives,
 * header by header. All else goes on to Jersey as it came, before anything is drawn: other methods and paths, bodies, conditions, other
 * origins, bad parameters, several IDs, an Accept that has to be thought about, a scheme that is fenced, a tick that is used up. Never waits, and Jetty writes the answer without waiting, so that this may run on
 * the selector's thread. Closed until opened. Thread-safe.
 */
final class ExpressLane extends Handler.Wrapper {
    /** Headers by which a request is no plain one. All others change nothing in the answer. */
    private static final Set<HttpHeader> UNUSUAL = EnumSet.of(
            HttpHeader.ORIGIN,
            HttpHeader.EXPECT,
            HttpHeader.CONTENT_LENGTH,
            HttpHeader.CONTENT_TYPE,
            HttpHeader.CONTENT_ENCODING,
            HttpHeader.TRANSFER_ENCODING,
            HttpHeader.TRAILER,
            HttpHeader.RANGE,
            HttpHeader.IF_RANGE,
            HttpHeader.IF_MATCH,
            HttpHeader.IF_NONE_MATCH,
            HttpHeader.IF_MODIFIED_SINCE,
            HttpHeader.IF_UNMODIFIED_SINCE,
            HttpHeader.ACCEPT_CHARSET,
            HttpHeader.ACCESS_CONTROL_REQUEST_METHOD,
            HttpHeader.ACCESS_CONTROL_REQUEST_HEADERS);

    private static final Set<HttpVersion> VERSIONS = EnumSet.of(HttpVersion.HTTP_1_0, HttpVersion.HTTP_1_1);

    /** A query in which nothing has to be decoded. */
    private static final Pattern PLAIN_QUERY = Pattern.compile("[A-Za-z0-9_.=&-]*");

    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final HttpField VARY = new PreEncodedHttpField(HttpHeader.VARY, "Accept");
    private static final HttpField VARY_BY_ORIGIN = new PreEncodedHttpField(HttpHeader.VARY, "Accept, Origin");
    private static final Map<Media, HttpField> CONTENT_TYPES = contentTypes();

    private static final Map<String, Media> PLAIN = Map.of(
            "*/*", Media.TEXT,
            "text/plain", Media.TEXT,
            "application/json", Media.JSON,
            "application/x-ndjson", Media.NDJSON,
            "application/json, text/plain, */*", Media.JSON, // axios, Angular
            "text/plain, application/json, application/*+json, */*", Media.TEXT, // Spring, for a String
            "application/json, application/*+json", Media.JSON, // Spring, for anything else
            "text/html, image/gif, image/jpeg, */*; q=0.2", Media.TEXT); // Java's URLConnection

    private final IdService dispenser;
    private final MaxCounts counts;
    private final RouteCounts requests;
    private volatile Map<String, Served> byPath = Map.of();

    /**
     * A lane that is closed.
     *
     * @param requests hears of all requests that come to the context, and of those that this answers before
     */
    ExpressLane(IdService dispenser, MaxCounts counts, RouteCounts requests) {
        this.dispenser = dispenser;
        this.counts = counts;
        this.requests = requests;
    }

    private static Map<Media, HttpField> contentTypes() {
        Map<Media, HttpField> types = new EnumMap<>(Media.class);
        for (Media media : Media.values()) {
            types.put(media, new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, media.mediaType()));
        }
        return types;
    }

    /** From now on answers what is asked below this path, which is the beginning of the routes' paths as requests have them. */
    void open(String beginning) {
        byPath = dispenser.schemes().stream()
                .collect(Collectors.toUnmodifiableMap(scheme -> path(beginning, scheme), this::served));
    }

    private Served served(Scheme<?> scheme) {
        IdRequest<?> unqueried = IdRequest.of(scheme, Map.of(), counts);
        Map<Media, IdAnswer> answers = new EnumMap<>(Media.class);
        for (Media media : Media.values()) {
            answers.put(media, dispenser.answer(unqueried, media));
        }
        return new Served(scheme, answers);
    }

    /** The path of a scheme's IDs. */
    static String path(String root, Scheme<?> scheme) {
        return root + "/ids/" + scheme.name();
    }

    /** The scheme, where this is a plain GET for its IDs, as far as can be told without reading the query. */
    private @Nullable Served served(Request request) {
        String path = request.getHttpURI().getPath();
        Served served = path == null ? null : byPath.get(path);
        return served != null
                        && HttpMethod.GET.is(request.getMethod())
                        && VERSIONS.contains(request.getConnectionMetaData().getHttpVersion())
                        && isPlain(request.getHeaders())
                ? served
                : null;
    }

    private static boolean isPlain(HttpFields headers) {
        for (int i = 0; i < headers.size(); i++) { // by place, because an iterator is garbage
            HttpField field = headers.getField(i);
            HttpHeader header = field.getHeader();
            if (header != null && UNUSUAL.contains(header) && !isNoBody(field)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNoBody(HttpField field) {
        return field.getHeader() == HttpHeader.CONTENT_LENGTH && "0".equals(field.getValue());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Optional<Drawn> drawn = drawn(request, Long.MAX_VALUE);
        if (drawn.isPresent()) {
            drawn.get().write(CrossOrigin.varies(request), response, callback);
            return true;
        }
        requests.watch(request);
        return super.handle(request, response, callback);
    }

    /**
     * Whether a request is most likely refused, because there is no room beside others. A plain one for one ID needs no place among the
     * requests; whether every other one lacks that, {@code noPlace} says.
     */
    boolean refuses(Request request, BooleanSupplier noPlace) {
        return noPlace.getAsBoolean();
    }

    private static boolean isHttp10(Request request) {
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0;
    }

    /**
     * What was drawn for a request; empty where Jersey is to answer, and then nothing was drawn. Jersey is to answer, too, where the
     * answer has {@code tooLong} bytes or more, or its length is not known and this is not the largest number.
     */
    Optional<Drawn> drawn(Request request, long tooLong) {
        try {
            return asked(request)
                    .filter(asked -> asked.answer().length().orElse(Long.MAX_VALUE - 1) < tooLong)
                    .flatMap(asked -> asked.answer()
                            .poll()
                            .map(body -> new Drawn(request, asked.media(), ByteBuffer.wrap(body))));
        } catch (Throwable e) {
            FatalErrors.endIfFatal(e); // there is no filter around this
            throw e;
        }
    }

    /** What a plain request asks for; empty where the request needs a thought, which Jersey gives it. */
    private Optional<AskedPlainly> asked(Request request) {
        Served served = served(request);
        return served == null
                ? Optional.empty()
                : accepted(request.getHeaders())
                        .flatMap(accept -> Optional.ofNullable(PLAIN.get(accept)))
                        .flatMap(media -> answer(served, request.getHttpURI().getQuery(), media)
                                .map(answer -> new AskedPlainly(media, answer)));
    }

    /** The one Accept; empty where there are several. */
    private static Optional<String> accepted(HttpFields headers) {
        String accept = null;
        for (int i = 0; i < headers.size(); i++) {
            HttpField field = headers.getField(i);
            if (field.getHeader() == HttpHeader.ACCEPT) {
                if (accept != null) {
                    return Optional.empty();
                }
                accept = field.getValue();
            }
        }
        return Optional.of(accept == null ? "*/*" : accept);
    }

    /** The answer to what a query asks for; empty where something is wrong with the query, which Jersey's answer says better. */
    private Optional<IdAnswer> answer(Served served, @Nullable String query, Media media) {
        if (query == null) {
            return Optional.ofNullable(served.unqueried().get(media));
        }
        if (!PLAIN_QUERY.matcher(query).matches()) {
            return Optional.empty();
        }
        MultivaluedMap<String, String> values = UriComponent.decodeQuery(query, true);
        try {
            return Optional.of(dispenser.answer(IdRequest.of(served.scheme(), values, counts), media));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * A scheme, with the answers to requests without a query.
     *
     * @param unqueried by media type
     */
    private record Served(Scheme<?> scheme, Map<Media, IdAnswer> unqueried) {}

    /**
     * An answer that may be drawn.
     *
     * @param media its type
     */
    private record AskedPlainly(Media media, IdAnswer answer) {}

    /** One ID, or one transaction, with what is around it in an answer. MaxCounts the request when the answer was sent, or could not be. */
    final class Drawn implements Callback {
        private final Request request;
        private final Media media;
        private final ByteBuffer body;
        private Callback next = Callback.NOOP;

        Drawn(Request request, Media media, ByteBuffer body) {
            this.request = request;
            this.media = media;
            this.body = body;
        }

        /** Answers with it, and then completes the callback; {@code varies} is whether the answer depends on the origin. */
        void write(boolean varies, Response response, Callback callback) {
            next = callback;
            response.setStatus(HttpStatus.OK_200);
            HttpFields.Mutable headers = response.getHeaders();
            headers.put(varies ? VARY_BY_ORIGIN : VARY);
            headers.put(CONTENT_TYPES.get(media));
            if (isHttp10(request)) {
                headers.put(HttpHeader.CONTENT_ENCODING, "identity");
            }
            headers.put(NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, body.remaining());
            response.write(true, body, this);
        }

        @Override
        public void succeeded() {
            requests.oneId(request, true);
            next.succeeded();
        }

        @Override
        public void failed(Throwable x) {
            requests.oneId(request, false);
            next.failed(x);
        }

        @Override
        public InvocationType getInvocationType() {
            return next.getInvocationType();
        }
    }
}
