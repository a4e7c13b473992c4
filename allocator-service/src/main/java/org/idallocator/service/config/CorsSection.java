package org.idallocator.service.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;

/** {@code cors}: which pages of other origins may use the routes in a browser. By default none may. */
public final class CorsSection {
    private static final String ANY = "*";
    private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443);

    @Key
    private List<@Nullable String> allowedOrigins = List.of();

    /**
     * The allowed origins, each as a browser sends it, in lower case and without the port that its scheme has anyway; {@code *} for
     * any; empty for none.
     *
     * @throws IllegalArgumentException naming each bad value and what is allowed
     */
    public List<String> origins() {
        Mistakes mistakes = new Mistakes();
        List<String> origins = new ArrayList<>();
        for (int i = 0; i < allowedOrigins.size(); i++) {
            String key = "cors.allowedOrigins[" + i + "]";
            String text = allowedOrigins.get(i);
            if (text != null) {
                origin(text)
                        .ifPresentOrElse(
                                origins::add,
                                () -> mistakes.add(
                                        key,
                                        "must be \"*\" or an origin such as"
                                                + " https://shop.example.com:8443, without a path: " + Shown.of(text)));
            }
        }
        mistakes.throwIfAny();
        return origins;
    }

    /** What a browser sends for a text that is a scheme, a host and maybe a port; empty for any other text. */
    private static Optional<String> origin(String text) {
        if (text.equals(ANY)) {
            return Optional.of(ANY);
        }
        try {
            URI uri = new URI(text.toLowerCase(Locale.ROOT));
            String host = uri.getScheme() + "://" + uri.getHost();
            String withPort = host + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
            return uri.getHost() != null
                            && uri.getPort() <= ZooKeeperSettings.LARGEST_PORT
                            && text.equalsIgnoreCase(withPort)
                    ? Optional.of(isDefault(uri) ? host : withPort)
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static boolean isDefault(URI uri) {
        return Objects.equals(DEFAULT_PORTS.get(uri.getScheme()), uri.getPort());
    }
}
