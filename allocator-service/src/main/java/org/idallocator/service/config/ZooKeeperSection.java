package org.idallocator.service.config;

import io.dropwizard.util.Duration;
import java.util.List;
import java.util.Map;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** {@code allocator.zookeeper}: where leases live. */
public final class ZooKeeperSection {
    private static final String DEFAULT_CONNECT = "localhost:2181";

    @Key
    private String connect = "";

    @Key
    private String root = "/id-allocator";

    @Key
    private Duration sessionTimeout = Duration.seconds(10);

    @Key
    private List<String> auth = List.of();

    @Key
    private Map<String, String> properties = Map.of();

    @Key
    private EmbeddedSection embedded = new EmbeddedSection();

    public EmbeddedSection embedded() {
        return embedded;
    }

    /** The settings as configured. With an embedded ZooKeeper, the address is known only when that runs. */
    ZooKeeperSettings settings() {
        embedded.check();
        if (embedded.enabled() && !connect.isBlank()) {
            throw new IllegalArgumentException(
                    "zookeeper.connect must be left out when zookeeper.embedded.enabled is true: " + connect);
        }
        String address = connect.isBlank() ? DEFAULT_CONNECT : connect;
        return new ZooKeeperSettings(address, root, sessionTimeout.toJavaDuration(), auth, properties);
    }
}
