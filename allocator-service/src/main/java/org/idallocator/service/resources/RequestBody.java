package org.idallocator.service.resources;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.server.ContainerRequest;
import org.jspecify.annotations.Nullable;

/** The parameters in the body of a request: those of a form, or those of one flat JSON object. An empty body of any type has none. */
final class RequestBody {
    private static final GenericType<@Nullable Map<String, Object>> OBJECT = new GenericType<>() {};

    private RequestBody() {}

    /** The parameters of the query and of the body together; throws {@link BadRequestException} for one that differs between the two. */
    static Map<String, List<String>> parameters(Map<String, List<String>> query, ContainerRequest request) {
        Map<String, List<String>> all = new LinkedHashMap<>(query);
        read(request).forEach((name, values) -> {
            List<String> others = all.put(name, values);
            if (others != null && !others.equals(values)) {
                throw new BadRequestException(name + " must be the same in the query and in the body: "
                        + String.join(", ", others) + " and " + String.join(", ", values));
            }
        });
        return all;
    }

    private static Map<String, List<String>> read(ContainerRequest request) {
        try {
            return request.hasEntity() ? ofType(request) : Map.of();
        } catch (WebApplicationException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new BadRequestException(
                    "the body cannot be read: it must be a form such as count=3, or one object such as {\"count\":3}, and"
                            + " be compressed as it says",
                    e);
        }
    }

    private static Map<String, List<String>> ofType(ContainerRequest request) {
        if (MediaType.APPLICATION_FORM_URLENCODED_TYPE.isCompatible(request.getMediaType())) {
            return request.readEntity(Form.class).asMap();
        } else if (MediaType.APPLICATION_JSON_TYPE.isCompatible(request.getMediaType())) {
            Map<String, List<String>> values = new LinkedHashMap<>();
            request.readEntity(OBJECT)
                    .forEach((name, value) -> values.put(name, List.of(String.valueOf(value))));
            return values;
        }
        throw new NotSupportedException(
                "a body must be application/x-www-form-urlencoded (count=3) or application/json ({\"count\":3})");
    }
}
