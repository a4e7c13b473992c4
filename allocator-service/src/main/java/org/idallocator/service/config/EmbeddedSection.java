package org.idallocator.service.config;

import java.nio.file.Path;
import org.idallocator.zk.settings.Mistakes;

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

    /** The directory of its data. */
    public Path dataDir() {
        return Path.of(dataDir);
    }

    /** Its port on the loopback interface, 0..65535; 0 for any free one. */
    public int port() {
        return port;
    }

    /** Notes what is wrong with the values. */
    void check(Mistakes mistakes) {
        mistakes.require(port >= 0 && port <= MAX_PORT, () -> "zookeeper.embedded.port must be 0..65535: " + port);
        mistakes.require(!dataDir.isBlank(), () -> "zookeeper.embedded.dataDir must name a directory: it is blank");
    }
}
