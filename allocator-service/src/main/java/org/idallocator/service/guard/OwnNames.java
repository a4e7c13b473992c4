package org.idallocator.service.guard;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.zk.settings.Replica;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By which names a port may be addressed. Any page may have a browser ask any port that the browser reaches; and whoever owns a name
 * may have it lead to this machine, so that the browser takes that page for one of this port. So it counts how the port was
 * addressed: by an IP address, as {@code localhost}, by a name that the machine itself has, or by a configured one. Thread-safe.
 */
final class OwnNames {
    private static final Logger LOG = LoggerFactory.getLogger(OwnNames.class);
    private static final Pattern HOST = Pattern.compile("(\\[[^\\]]*]|[^:]*)(?::[0-9]+)?");
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})";
    private static final Pattern ADDRESS = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}|\\[[0-9a-f:.]+]");
    private static final String LOCALHOST = "localhost";

    private final List<String> configured;

    /** {@code configured} are names beside those of the machine, in lower case. */
    OwnNames(List<String> configured) {
        this.configured = configured;
    }

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

    /** Whether a {@code Host} names this machine as nobody else can have named it; one that is missing names nothing. */
    boolean include(@Nullable String host) {
        Matcher matcher = HOST.matcher(lower(host));
        return matcher.matches() && includeName(matcher.group(1));
    }

    private boolean includeName(String name) {
        return name.equals(LOCALHOST)
                || ADDRESS.matcher(name).matches()
                || configured.contains(name)
                || name.equals(Machine.NAME)
                || name.equals(Machine.CANONICAL);
    }

    /** Whether a page of that origin was got under the {@code Host} that it now asks. */
    static boolean isSame(String origin, @Nullable String host) {
        return authority(origin).equals(lower(host));
    }

    /** Host and port of an origin; of what is none, a text that no Host is. */
    private static String authority(String origin) {
        try {
            return lower(Objects.requireNonNullElse(URI.create(origin).getAuthority(), origin + "/"));
        } catch (IllegalArgumentException e) {
            LOG.debug("{} is no origin", origin, e);
            return origin + "/";
        }
    }

    private static String lower(@Nullable String text) {
        return text == null ? "" : text.toLowerCase(Locale.ROOT);
    }
}
