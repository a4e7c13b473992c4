package org.idallocator.service.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Shown;
import org.jspecify.annotations.Nullable;

/** {@code cors}: which pages of other origins may use the routes in a browser. By default none may. */
public final class CorsSection {
    private static final String ANY = "*";

    @Key
    private List<@Nullable String> allowedOrigins = List.of();

    /**
     * The allowed origins, each as a browser sends it, or {@code *} for any; empty for none.
     *
     * @throws IllegalArgumentException naming each bad value and what is allowed
     */
    public List<String> origins() {
        Mistakes mistakes = new Mistakes();
        for (int i = 0; i < allowedOrigins.size(); i++) {
            String key = "cors.allowedOrigins[" + i + "]";
            String origin = allowedOrigins.get(i);
            mistakes.require(
                    origin == null || origin.equals(ANY) || isOrigin(origin),
                    () -> key + " must be \"*\" or an origin such as https://shop.example.com:8443, without a path: "
                            + Shown.of(Objects.requireNonNull(origin)));
        }
        mistakes.throwIfAny();
        return allowedOrigins.stream().filter(Objects::nonNull).toList();
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
