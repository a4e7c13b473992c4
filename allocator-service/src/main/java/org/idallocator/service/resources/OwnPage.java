package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.ForbiddenException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.zk.settings.Replica;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose pages may have the admin port do something. Any page may have a browser ask any port that the browser reaches; and whoever
 * owns a name may have it lead to this machine, so that the browser takes that page for one of this port. So it counts how the port
 * was addressed: by an IP address, as {@code localhost}, or by a name that the machine itself has. What is no browser says of no
 * page, and does as it likes. Thread-safe.
 */
public final class OwnPage {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPage.class);
    private static final Pattern HOST = Pattern.compile("(\\[[^\\]]*]|[^:]*)(?::[0-9]+)?");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+(?:\\.[0-9]+){3}|\\[[0-9a-f:.]+]");
    private static final String LOCALHOST = "localhost";

    /** How the machine calls itself. That may take a look-up, so it is done once, and when a request comes under such a name. */
    private static final class Machine {
        private static final String NAME = lower(Replica.named("page", "").host());
        private static final String CANONICAL = lower(canonical());

        private static String canonical() {
            try {
                return InetAddress.getLocalHost().getCanonicalHostName();
            } catch (UnknownHostException e) {
                LOG.debug("the machine has no other name", e);
                return NAME;
            }
        }
    }

    private OwnPage() {}

    /** Throws {@link ForbiddenException} for a call that a page of elsewhere makes. */
    static void require(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        if (origin == null) {
            return;
        }
        if (!origin(origin).equals(lower(request.getHeader("Host")))) {
            throw new ForbiddenException("pages of " + origin + " may not do this");
        }
        if (!isAddressed(request)) {
            throw new ForbiddenException("pages of " + origin
                    + " may not do this: the host must be an IP address, localhost or " + Machine.NAME);
        }
    }

    /** Whether a request names this machine as nobody else can have named it. */
    public static boolean isAddressed(HttpServletRequest request) {
        Matcher host = HOST.matcher(lower(request.getHeader("Host")));
        return host.matches() && isOfThisMachine(host.group(1));
    }

    private static boolean isOfThisMachine(String name) {
        return name.equals(LOCALHOST)
                || ADDRESS.matcher(name).matches()
                || name.equals(Machine.NAME)
                || name.equals(Machine.CANONICAL);
    }

    /** Host and port of an origin; of what is none, a text that no Host is. */
    private static String origin(String origin) {
        try {
            return Objects.requireNonNullElse(URI.create(origin).getAuthority(), origin + "/")
                    .toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            LOG.debug("{} is no origin", origin, e);
            return origin + "/";
        }
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
