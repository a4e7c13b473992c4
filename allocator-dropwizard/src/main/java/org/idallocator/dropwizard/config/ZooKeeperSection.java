package org.idallocator.dropwizard.config;

import io.dropwizard.util.Duration;
import jakarta.validation.Valid;
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

    @Key
    private String connect = "";

    @Key
    private String root = ZooKeeperSettings.DEFAULT_ROOT;

    @Key
    private Duration sessionTimeout = toDropwizard(Terms.SESSION_TIMEOUT.usual());

    @Key
    private List<String> auth = List.of();

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
        return new ZooKeeperSettings(address(), root, sessionTimeout(), auth, properties);
    }

    /** Checks of each setting by itself; each throws {@link BadValueException} with its key. */
    List<Supplier<?>> checks() {
        ZooKeeperSettings any = ZooKeeperSettings.of(DEFAULT_CONNECT);
        return List.of(
                () -> any.withConnect(address()),
                () -> any.withRoot(root),
                () -> any.withSessionTimeout(sessionTimeout()),
                () -> any.withAuth(auth),
                () -> any.withProperties(properties),
                () -> embedded.isEnabled() ? embedded.dataDir() : embedded);
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
