package org.idallocator.service.config;

import java.nio.file.Path;

/** {@code zookeeper.embedded}: a ZooKeeper inside the process. */
public final class EmbeddedSection {
    private static final int MAX_PORT = 65_535;

    @Key
    private boolean enabled = false;

    @Key
    private String dataDir = "data";

    @Key
    private int port = 0;

    public boolean enabled() {
        return enabled;
    }

    /** Where its data is kept. */
    public Path dataDir() {
        return Path.of(dataDir);
    }

    /** The loopback port that it listens on; 0 for any free one. */
    public int port() {
        return port;
    }

    void check() {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("zookeeper.embedded.port must be 0..65535: " + port);
        }
        if (dataDir.isBlank()) {
            throw new IllegalArgumentException("zookeeper.embedded.dataDir must name a directory: it is blank");
        }
    }
}
