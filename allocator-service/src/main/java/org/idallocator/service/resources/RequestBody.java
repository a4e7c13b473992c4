package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpException;
import org.glassfish.jersey.uri.UriComponent;
import org.idallocator.service.api.Json;
import org.jspecify.annotations.Nullable;

/** Reads the parameters in the body of a request: those of a form, or those of one flat JSON object, in UTF-8. */
final class RequestBody {
    private static final int LARGEST = 8_192;
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private RequestBody() {}

    /**
     * The parameters of the query and of the body together. An empty body of any type has none.
     *
     * @param type that of the body
     * @throws ClientErrorException for a body that is too large, of another type, or cannot be read, and for a parameter that differs from
     *     the query's
     */
    static Map<String, List<String>> parameters(
            Map<String, List<String>> query, @Nullable MediaType type, InputStream body) {
        byte[] bytes = read(body);
        if (bytes.length == 0) {
            return query;
        } else if (bytes.length > LARGEST) {
            throw new ClientErrorException(
                    "a body must be " + LARGEST + " bytes at most", Response.Status.REQUEST_ENTITY_TOO_LARGE);
        }
        Map<String, List<String>> all = new LinkedHashMap<>(query);
        ofBody(type, new String(bytes, StandardCharsets.UTF_8)).forEach((name, values) -> {
            List<String> others = query.getOrDefault(name, values);
            if (!others.equals(values)) {
                throw new BadRequestException(name + " must be the same in the query and in the body: "
                        + String.join(", ", others) + " and " + String.join(", ", values));
            }
            all.put(name, values);
        });
        return all;
    }

    private static byte[] read(InputStream body) {
        try {
            return body.readNBytes(LARGEST + 1); // a small body may have been compressed from a huge one
        } catch (HttpException.RuntimeException e) {
            throw e; // such as that the body comes too slowly
        } catch (IOException | RuntimeException e) {
            throw new BadRequestException(
                    "the body cannot be read: it broke off, or its chunks or its compression are wrong", e);
        }
    }

    private static Map<String, List<String>> ofBody(@Nullable MediaType type, String text) {
        if (MediaType.APPLICATION_JSON_TYPE.isCompatible(type)) {
            return ofJson(text);
        } else if (MediaType.APPLICATION_FORM_URLENCODED_TYPE.isCompatible(type)) {
            return Query.read(() -> UriComponent.decodeQuery(text, true));
        }
        throw new NotSupportedException(
                "a body must be application/x-www-form-urlencoded (count=3) or application/json ({\"count\":3})");
    }

    private static Map<String, List<String>> ofJson(String text) {
        try {
            Map<String, List<String>> values = new LinkedHashMap<>();
            Json.get()
                    .readValue(text, OBJECT)
                    .forEach((name, value) -> values.put(name, List.of(String.valueOf(value))));
            return values;
        } catch (JsonProcessingException e) {
            throw new BadRequestException("the body must be one object such as {\"count\":3}", e);
        }
    }
}
