package org.idallocator.dropwizard.config;

import java.util.List;
import java.util.regex.Pattern;
import org.idallocator.core.id.BadValueException;

/** {@code cors}: which pages of other origins may use the routes in a browser. By default none may. */
public final class CorsSection {
    private static final Pattern ORIGIN =
            Pattern.compile("(?i)\\*|[a-z][a-z0-9+.-]*://([a-z0-9.-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

    @Key
    private List<String> allowedOrigins = List.of();

    /**
     * The allowed origins in lower case, as browsers send them. {@code *} stands for any; an empty list for none.
     *
     * @throws BadValueException naming the first bad value and what is allowed
     */
    public List<String> origins() {
        String must = "\"*\" or an origin such as https://shop.example.com:8443, without a path";
        return Checks.entries("cors.allowedOrigins", allowedOrigins, ORIGIN, must);
    }
}
