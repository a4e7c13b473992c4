package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import jakarta.servlet.http.HttpServletRequest;
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
import java.util.List;
import org.glassfish.jersey.uri.UriComponent;
import org.jspecify.annotations.Nullable;

/** Reads the parameters in the body of a request: those of a form, or those of one flat JSON object. */
final class RequestBody {
    private static final int LARGEST = 8_192;
    private static final String ALLOWED = MediaType.APPLICATION_FORM_URLENCODED
            + " (count=3) or "
            + MediaType.APPLICATION_JSON
            + " ({\"count\":3}), in UTF-8";
    private static final JsonFactory JSON = new JsonFactory();

    private RequestBody() {}

    /** Refuses a body where the method has no use for one: what somebody wrote there would be ignored. */
    static void refuse(HttpServletRequest request) throws IOException {
        boolean chunked = request.getHeader("Transfer-Encoding") != null;
        if (request.getContentLengthLong() > 0
                || (chunked && request.getInputStream().read() >= 0)) {
            throw new BadRequestException(
                    request.getMethod() + " takes no body: put the parameters into the query, or send them with POST");
        }
    }

    /**
     * The parameters of the query and of the body together. An empty body of any type has none.
     *
     * @throws NotSupportedException for a body of another type
     * @throws ClientErrorException for a body that is too large
     * @throws BadRequestException for a body that cannot be read, and for a parameter that differs from the query's
     */
    static MultivaluedMap<String, String> parameters(Asked asked, InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(LARGEST + 1);
        MultivaluedMap<String, String> query = asked.uri().getQueryParameters();
        if (bytes.length == 0) {
            return query;
        }
        boolean json = isJson(asked.headers());
        if (bytes.length > LARGEST) {
            throw new ClientErrorException(
                    "a body must be " + LARGEST + " bytes at most", Response.Status.REQUEST_ENTITY_TOO_LARGE);
        }
        String text = text(bytes);
        return together(query, json ? ofJson(text) : ofForm(text));
    }

    private static boolean isJson(HttpHeaders headers) {
        MediaType type = mediaType(headers);
        if (type == null || !inUtf8(type)) {
            throw refused(headers);
        } else if (MediaType.APPLICATION_JSON_TYPE.isCompatible(type)) {
            return true;
        } else if (MediaType.APPLICATION_FORM_URLENCODED_TYPE.isCompatible(type)) {
            return false;
        }
        throw refused(headers);
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
            throw new BadRequestException("the body is no JSON: " + e.getOriginalMessage(), e);
        }
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
