package org.idallocator.service.resources;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.function.Supplier;
import org.idallocator.service.ids.Parameters;

/** Reads what clients write; what cannot be read is a bad request. */
final class Query {
    private Query() {}

    /** Throws {@link BadRequestException} for any parameter. */
    static void none(UriInfo uri) {
        var unused = read(() -> new Parameters(uri.getQueryParameters(), List.of()));
    }

    /** Runs what reads a client's text. Its {@link IllegalArgumentException} is the client's mistake: a bad request. */
    static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(e.getMessage(), e);
        }
    }
}
