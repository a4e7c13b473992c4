package org.idallocator.service.resources;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The query of one request, in which each parameter is known, has a value and is given at most once. */
final class Query {
    private final MultivaluedMap<String, String> values;

    /** Throws {@link BadRequestException} for a parameter that is not among those {@code allowed}. */
    Query(MultivaluedMap<String, String> values, List<String> allowed) {
        this.values = values;
        for (String name : values.keySet()) {
            if (!allowed.contains(name)) {
                throw new BadRequestException("unknown parameter " + name + "; allowed here: "
                        + (allowed.isEmpty() ? "none" : String.join(", ", allowed)));
            }
        }
    }

    /** Throws {@link BadRequestException} for any parameter. */
    static void none(UriInfo uri) {
        new Query(uri.getQueryParameters(), List.of());
    }

    /** The value of a parameter; throws {@link BadRequestException} when it is empty, or given twice. */
    Optional<String> value(String name) {
        List<String> given = values.getOrDefault(name, List.of());
        if (given.size() > 1) {
            throw new BadRequestException(name + " must be given once: " + String.join(", ", given));
        }
        if (given.contains("")) {
            throw new BadRequestException(name + " must have a value: it is empty");
        }
        return given.stream().findFirst();
    }

    /** Runs what reads a caller's text. Its {@link IllegalArgumentException} is the caller's mistake: a bad request. */
    static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(e.getMessage(), e);
        }
    }
}
