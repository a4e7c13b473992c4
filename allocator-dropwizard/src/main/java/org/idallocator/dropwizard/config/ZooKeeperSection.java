package org.idallocator.dropwizard.config;

import io.dropwizard.util.Duration;
import jakarta.validation.Valid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.idallocator.core.id.BadValueException;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** {@code zookeeper}: which ZooKeeper keeps the leases, and how to reach it. */
public final class ZooKeeperSection {
    private static final String DEFAULT_CONNECT = "localhost:2181";
    private static final String AUTH = "zookeeper.auth";
    private static final String AUTH_FILE = "zookeeper.authFile";

    @Key
    private String connect = "";

    @Key
    private String root = ZooKeeperSettings.DEFAULT_ROOT;

    @Key
    private Duration sessionTimeout = toDropwizard(Terms.SESSION_TIMEOUT.usual());

    @Key
    private List<String> auth = List.of();

    @Key
    private String authFile = "";

    @Key
    private Map<String, String> properties = Map.of();

    @Key
    @Valid
    private EmbeddedSection embedded = new EmbeddedSection();

    public EmbeddedSection embedded() {
        return embedded;
    }

    java.time.Duration sessionTimeout() {
        return toJava(sessionTimeout);
    }

    /**
     * The settings.
     *
     * @throws BadValueException naming the first bad value and what is allowed
     */
    ZooKeeperSettings settings() {
        return new ZooKeeperSettings(address(), root, sessionTimeout(), credentials(), properties);
    }

    /** Checks of each setting by itself; each throws {@link BadValueException} with its key. */
    List<Supplier<?>> checks() {
        ZooKeeperSettings any = ZooKeeperSettings.of(DEFAULT_CONNECT);
        return List.of(
                () -> any.withConnect(address()),
                () -> any.withRoot(root),
                () -> any.withSessionTimeout(sessionTimeout()),
                () -> any.withAuth(credentials()),
                () -> any.withProperties(properties),
                () -> embedded.isEnabled() ? embedded.dataDir() : embedded);
    }

    /**
     * The credentials, each {@code scheme:credentials}: those of the configuration, or of the file that it names. An
     * empty entry of the configuration is left out, because the variable that it names may be empty.
     */
    private List<String> credentials() {
        List<String> written = auth.stream().filter(entry -> !entry.isBlank()).toList();
        if (authFile.isBlank()) {
            return written;
        }
        if (!written.isEmpty()) {
            throw new BadValueException(AUTH, "must be left out where " + AUTH_FILE + " names a file that has it");
        }
        Path file = Checks.path(AUTH_FILE, authFile);
        Shown.require(file.isAbsolute(), AUTH_FILE, "must be an absolute path", authFile);
        return credentialsIn(file);
    }

    /** One in each line. A file without any is refused, as whoever names one wants nodes that not anybody may write. */
    private static List<String> credentialsIn(Path file) {
        try {
            List<String> lines = List.of(AdminSection.read(file).split("\\R", -1));
            return ZooKeeperSettings.of(DEFAULT_CONNECT).withAuth(lines).auth();
        } catch (BadValueException e) {
            throw new BadValueException(
                    AUTH_FILE,
                    "must name a file whose lines are scheme:credentials, such as digest:user:password (what it has is"
                            + " not shown): " + file,
                    e);
        } catch (IOException e) {
            String why = e.getClass().getSimpleName();
            throw new BadValueException(AUTH_FILE, "must name a file that can be read: " + file + " (" + why + ")", e);
        }
    }

    private String address() {
        Shown.require(
                !embedded.isEnabled() || connect.isBlank(),
                "zookeeper.connect",
                "must be left out when zookeeper.embedded.enabled is true",
                connect);
        return connect.isBlank() ? DEFAULT_CONNECT : connect;
    }

    /** A duration of Dropwizard's, cut to the millisecond. */
    static Duration toDropwizard(java.time.Duration duration) {
        return Duration.milliseconds(duration.toMillis());
    }

    /** A duration of Java's. One of more than 292 years becomes 292 years. */
    static java.time.Duration toJava(Duration duration) {
        return java.time.Duration.ofNanos(duration.toNanoseconds());
    }
}
