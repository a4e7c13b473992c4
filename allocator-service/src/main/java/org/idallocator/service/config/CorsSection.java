package org.idallocator.service.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/** {@code cors}: which pages of other origins may use the routes in a browser. By default none may. */
public final class CorsSection {
    private static final String ANY = "*";

    @Key
    private List<String> allowedOrigins = List.of();

    /**
     * The allowed origins, each as a browser sends it, or {@code *} for any; empty for none.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed
     */
    public List<String> origins() {
        for (String origin : allowedOrigins) {
            if (!origin.equals(ANY) && !isOrigin(origin)) {
                throw new IllegalArgumentException("cors.allowedOrigins must be \"*\" or origins such as"
                        + " https://shop.example.com:8443, without a path: " + origin);
            }
        }
        return List.copyOf(allowedOrigins);
    }

    /** Whether a text is a scheme, a host and maybe a port, in lower case. */
    private static boolean isOrigin(String text) {
        try {
            URI uri = new URI(text);
            return uri.getHost() != null
                    && text.equals(text.toLowerCase(Locale.ROOT))
                    && text.equals(
                            uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
