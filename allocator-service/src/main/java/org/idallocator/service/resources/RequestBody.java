package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.glassfish.jersey.uri.UriComponent;
import org.idallocator.core.clock.Clock;
import org.jspecify.annotations.Nullable;

/** Reads the parameters in the body of a request: those of a form, or those of one flat JSON object. */
final class RequestBody {
    private static final int LARGEST = 8_192;

    /** Some bytes now and then would keep a place and a thread for a quarter of an hour. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final String ALLOWED = MediaType.APPLICATION_FORM_URLENCODED
            + " (count=3) or "
            + MediaType.APPLICATION_JSON
            + " ({\"count\":3}), in UTF-8";
    private static final Pattern SOURCE = Pattern.compile(" \\((start marker|for \\w+ starting) at \\[Source: .*?]\\)");
    private static final JsonFactory JSON = new JsonFactory();

    private RequestBody() {}

    /**
     * The parameters of the query and of the body together. An empty body of any type has none.
     *
     * @throws NotSupportedException for a body of another type
     * @throws ClientErrorException for a body that is too large, or that comes too slowly
     * @throws BadRequestException for a body that cannot be read, and for a parameter that differs from the query's
     */
    static MultivaluedMap<String, String> parameters(Asked asked, InputStream body) throws IOException {
        byte[] bytes = read(body, LARGEST + 1);
        MultivaluedMap<String, String> query = asked.uri().getQueryParameters();
        if (bytes.length == 0) {
            return query;
        }
        requireDecoded(asked.headers());
        boolean json = isJson(asked.headers());
        if (bytes.length > LARGEST) {
            throw new ClientErrorException(
                    "a body must be " + LARGEST + " bytes at most", Response.Status.REQUEST_ENTITY_TOO_LARGE);
        }
        String text = text(bytes);
        return together(query, json ? ofJson(text) : ofForm(text));
    }

    /** Reads up to so many bytes. Whatever keeps them from coming is the client's doing, and is told as that. */
    static byte[] read(InputStream body, int most) {
        return read(body, most, Clock.system());
    }

    /** The same by another clock. */
    static byte[] read(InputStream body, int most, Clock clock) {
        long fromNanos = clock.nanos();
        byte[] bytes = new byte[most];
        int size = 0;
        try {
            for (int read = 0; read >= 0 && size < most; size += Math.max(0, read)) {
                read = body.read(bytes, size, most - size);
                if (clock.nanos() - fromNanos > LONGEST.toNanos()) {
                    throw late("the body came too slowly: it has to come within " + LONGEST.toSeconds() + " s", null);
                }
            }
        } catch (ClientErrorException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw isLate(e)
                    ? late(
                            "the body came too slowly, or not at all (minRequestDataPerSecond and idleTimeout of the server)",
                            e)
                    : new BadRequestException(
                            "the body cannot be read: it broke off, or its chunks or its compression are wrong", e);
        }
        return Arrays.copyOf(bytes, size);
    }

    private static ClientErrorException late(String why, @Nullable Exception cause) {
        return new ClientErrorException(why, Response.Status.REQUEST_TIMEOUT, cause);
    }

    /** Whether the web server gave up on a body that came too slowly, or not at all. */
    private static boolean isLate(@Nullable Throwable error) {
        if (error == null) {
            return false;
        }
        return error instanceof TimeoutException
                || (error instanceof HttpException http && http.getCode() == HttpStatus.REQUEST_TIMEOUT_408)
                || isLate(error.getCause());
    }

    /** The web server takes away an encoding, and the header, where it decodes. */
    private static void requireDecoded(HttpHeaders headers) {
        String encoding = headers.getHeaderString(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new NotSupportedException("a body in this Content-Encoding is not read here: " + encoding);
        }
    }

    private static boolean isJson(HttpHeaders headers) {
        MediaType type = mediaType(headers);
        if (type == null || !inUtf8(type)) {
            throw refused(headers);
        } else if (is(MediaType.APPLICATION_JSON_TYPE, type)) {
            return true;
        } else if (is(MediaType.APPLICATION_FORM_URLENCODED_TYPE, type)) {
            return false;
        }
        throw refused(headers);
    }

    /** Whether the types are the same but for their parameters; a wildcard is none that a body can have. */
    private static boolean is(MediaType one, MediaType other) {
        return one.getType().equalsIgnoreCase(other.getType())
                && one.getSubtype().equalsIgnoreCase(other.getSubtype());
    }

    private static @Nullable MediaType mediaType(HttpHeaders headers) {
        try {
            return headers.getMediaType();
        } catch (RuntimeException e) {
            throw refused(headers);
        }
    }

    private static boolean inUtf8(MediaType type) {
        String charset = type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8");
        return charset.equalsIgnoreCase("utf-8") || charset.equalsIgnoreCase("us-ascii");
    }

    private static NotSupportedException refused(HttpHeaders headers) {
        String given = headers.getHeaderString(HttpHeaders.CONTENT_TYPE);
        return new NotSupportedException(
                "a body must be " + ALLOWED + ": " + (given == null ? "it has no Content-Type" : given));
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadRequestException("the body must be UTF-8", e);
        }
    }

    private static MultivaluedMap<String, String> ofForm(String text) {
        for (String pair : text.split("&", -1)) {
            require(!pair.startsWith("="), "a parameter in the body must have a name: " + pair);
        }
        try {
            return UriComponent.decodeQuery(text, true);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("the body is no form such as count=3: " + e.getMessage(), e);
        }
    }

    private static MultivaluedMap<String, String> ofJson(String text) throws IOException {
        try (JsonParser parser = JSON.createParser(text)) {
            return ofObject(parser);
        } catch (JsonProcessingException e) {
            throw new BadRequestException("the body is no JSON: " + withoutSource(e), e);
        }
    }

    /** Where an object began, Jackson says in words for programmers. */
    private static String withoutSource(JsonProcessingException error) {
        return SOURCE.matcher(error.getOriginalMessage()).replaceAll("");
    }

    private static MultivaluedMap<String, String> ofObject(JsonParser parser) throws IOException {
        require(parser.nextToken() == JsonToken.START_OBJECT, "the body must be one object such as {\"count\":3}");
        MultivaluedMap<String, String> values = new MultivaluedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            require(
                    value.isScalarValue() && value != JsonToken.VALUE_NULL,
                    name + " must be a text, a number, true or false in the body");
            values.add(name, parser.getText());
        }
        require(parser.nextToken() == null, "the body must be one object such as {\"count\":3}: more follows");
        return values;
    }

    private static void require(boolean right, String otherwise) {
        if (!right) {
            throw new BadRequestException(otherwise);
        }
    }

    private static MultivaluedMap<String, String> together(
            MultivaluedMap<String, String> query, MultivaluedMap<String, String> body) {
        MultivaluedMap<String, String> all = new MultivaluedHashMap<>(query);
        body.forEach((name, values) -> {
            List<String> others = query.getOrDefault(name, values);
            require(
                    others.equals(values),
                    name + " must be the same in the query and in the body: " + String.join(", ", others) + " and "
                            + String.join(", ", values));
            all.put(name, values);
        });
        return all;
    }
}
