package org.idallocator.dropwizard.resources;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpException;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.uri.UriComponent;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.api.Json;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.decode.IdParser;
import org.idallocator.dropwizard.decode.Quoted;
import org.idallocator.dropwizard.decode.UnreadableIdException;
import org.idallocator.dropwizard.http.BodyLimit;
import org.idallocator.dropwizard.ids.IdRequest;
import org.idallocator.dropwizard.ids.MaxCounts;
import org.idallocator.dropwizard.problems.ApiException;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a request's query and body. Each parameter must be known, have a value, and be given once at
 * most. All methods throw {@link ApiException} with a bad request when something cannot be read.
 */
final class DrawParameters {
    private static final String ONE_OBJECT = "the body must be one object such as {\"count\":3}";

    private DrawParameters() {}

    /** Refuses every parameter. */
    static void requireNone(UriInfo uri) {
        requireOnly(List.of(), uri.getQueryParameters());
    }

    /** The form that a query names; refuses every other parameter. */
    static Optional<String> form(UriInfo uri) {
        requireOnly(List.of(Forms.PARAMETER), uri.getQueryParameters());
        return value(Forms.PARAMETER, uri.getQueryParameters());
    }

    private static void requireOnly(List<String> allowed, Map<String, List<String>> values) {
        for (String name : values.keySet()) {
            if (!allowed.contains(name)) {
                throw new ApiException(
                        ProblemType.BAD_REQUEST,
                        "unknown parameter " + name + "; allowed here: "
                                + (allowed.isEmpty() ? "none" : String.join(", ", allowed)));
            }
        }
    }

    /**
     * Reads a request for IDs. A POST may have parameters in its body, too. The exception names the first bad
     * parameter.
     */
    static <T extends Id> IdRequest<T> request(Scheme<T> scheme, ContainerRequest request, MaxCounts maxCounts) {
        Map<String, List<String>> values = request.getMethod().equals("POST")
                ? withBody(request)
                : request.getUriInfo().getQueryParameters();
        List<String> allowed = new ArrayList<>(List.of(IdRequest.COUNT, Forms.PARAMETER));
        scheme.parameter().ifPresent(own -> allowed.add(1, own.name()));
        if (scheme.sortsByTime()) {
            allowed.add(IdRequest.AFTER);
        }
        requireOnly(allowed, values);
        return Problems.asBadRequest(() -> {
            Variant variant = scheme.parameter()
                    .flatMap(own -> value(own.name(), values).map(own.parse()))
                    .orElse(scheme.defaultVariant());
            Optional<Integer> count =
                    value(IdRequest.COUNT, values).map(text -> maxCounts.count(scheme, text, variant));
            Optional<String> named = value(Forms.PARAMETER, values);
            Form<T> form = Forms.named(scheme, named.orElse(Form.CANONICAL));
            Optional<T> after = value(IdRequest.AFTER, values).map(text -> seen(scheme, text, named, variant));
            return new IdRequest<>(scheme, count.orElse(1), count.isPresent(), variant, form, after);
        });
    }

    /** The ID after which others are to sort. It is written in the form that theirs have. */
    private static <T extends Id> T seen(Scheme<T> scheme, String text, Optional<String> form, Variant variant) {
        T seen = parsed(scheme, text, form);
        scheme.requireSomeAfter(IdRequest.AFTER, seen, variant);
        return seen;
    }

    private static <T extends Id> T parsed(Scheme<T> scheme, String text, Optional<String> form) {
        try {
            return IdParser.parse(scheme, text, form);
        } catch (IdFormatException | UnreadableIdException e) {
            String rule = "must be an ID of " + scheme.name() + " (" + e.getMessage() + "): " + Quoted.of(text);
            throw new BadValueException(IdRequest.AFTER, rule, e);
        }
    }

    private static Optional<String> value(String name, Map<String, List<String>> values) {
        List<String> given = values.getOrDefault(name, List.of());
        if (given.size() > 1) {
            throw new ApiException(ProblemType.BAD_REQUEST, name + " must be given once: " + String.join(", ", given));
        }
        if (given.contains("")) {
            throw new ApiException(ProblemType.BAD_REQUEST, name + " must have a value: it is empty");
        }
        return given.stream().findFirst();
    }

    /** The parameters of the query and of the body together. A parameter in both must have the same value. */
    private static Map<String, List<String>> withBody(ContainerRequest request) {
        Map<String, List<String>> all = new LinkedHashMap<>(request.getUriInfo().getQueryParameters());
        body(request).forEach((name, values) -> {
            List<String> others = all.put(name, values);
            if (others != null && !others.equals(values)) {
                throw new ApiException(
                        ProblemType.BAD_REQUEST,
                        name + " must be the same in the query and in the body: " + String.join(", ", others) + " and "
                                + String.join(", ", values));
            }
        });
        return all;
    }

    /** The parameters in the body. An empty body of any type has none. */
    private static Map<String, List<String>> body(ContainerRequest request) {
        byte[] bytes = bytes(request);
        if (bytes.length > BodyLimit.BYTES) {
            throw new ApiException(ProblemType.BODY_TOO_LARGE, BodyLimit.EXCEEDED);
        }
        return bytes.length == 0 ? Map.of() : parameters(request.getMediaType(), bytes);
    }

    /**
     * The body, or its first bytes, one more than a body may have. A body of few bytes may be compressed, and have very
     * many in fact.
     */
    private static byte[] bytes(ContainerRequest request) {
        try {
            return request.getEntityStream().readNBytes(BodyLimit.BYTES + 1);
        } catch (HttpException.RuntimeException e) {
            throw e; // Jetty's own, for example for a body that comes too slowly
        } catch (IOException | RuntimeException e) {
            throw unreadable(e);
        }
    }

    private static Map<String, List<String>> parameters(@Nullable MediaType type, byte[] body) {
        if (MediaType.APPLICATION_FORM_URLENCODED_TYPE.isCompatible(type)) {
            return form(body);
        } else if (MediaType.APPLICATION_JSON_TYPE.isCompatible(type)) {
            return json(body);
        }
        throw new ApiException(
                ProblemType.UNSUPPORTED_MEDIA_TYPE,
                "a body must be application/x-www-form-urlencoded (count=3) or application/json ({\"count\":3})");
    }

    private static Map<String, List<String>> form(byte[] body) {
        try {
            return UriComponent.decodeQuery(new String(body, StandardCharsets.UTF_8), true);
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private static Map<String, List<String>> json(byte[] body) {
        Map<String, List<String>> values = new HashMap<>();
        object(body).forEach((name, value) -> values.put(String.valueOf(name), List.of(String.valueOf(value))));
        return values;
    }

    private static Map<?, ?> object(byte[] body) {
        try {
            Map<?, ?> object = Json.get()
                    .readerFor(Map.class)
                    .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readValue(body);
            if (object == null) { // the text null is JSON, too
                throw new ApiException(ProblemType.BAD_REQUEST, ONE_OBJECT);
            }
            return object;
        } catch (IOException e) {
            throw new ApiException(ProblemType.BAD_REQUEST, ONE_OBJECT, e);
        }
    }

    private static ApiException unreadable(Exception cause) {
        return new ApiException(
                ProblemType.BAD_REQUEST,
                "the body cannot be read: it broke off, or its chunks, its escapes or its compression are wrong",
                cause);
    }
}
