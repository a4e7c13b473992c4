package org.idallocator.service.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Shown;
import org.jspecify.annotations.Nullable;

/** {@code zookeeper.embedded}: a ZooKeeper inside the process. */
public final class EmbeddedSection {
    private static final int MAX_PORT = 65_535;

    private static final String DIRECTORY = ".id-allocator";

    @Key
    private boolean enabled = false;

    @Key
    private String dataDir = "";

    @Key
    private int port = 0;

    public boolean enabled() {
        return enabled;
    }

    /**
     * The directory of its data: by default one directory for each user, wherever the process is started.
     *
     * @throws IllegalArgumentException when the text is no path, or none is named and the user has no home directory
     */
    public Path dataDir() {
        try {
            return dataDir.isBlank() ? inHome(System.getProperty("user.home")) : Path.of(dataDir);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "zookeeper.embedded.dataDir must name a directory: " + Shown.of(dataDir), e);
        }
    }

    /** {@code home} as the JVM names it: a question mark where the system knows no home directory. */
    static Path inHome(@Nullable String home) {
        if (home == null || home.isBlank() || home.equals("?")) {
            throw new IllegalArgumentException(
                    "zookeeper.embedded.dataDir must name a directory: it is left out, and this user has no home directory"
                            + " (user.home is " + home + ")");
        }
        return Path.of(home, DIRECTORY);
    }

    /** Its port on the loopback interface, 0..65535; 0 for any free one. */
    public int port() {
        return port;
    }

    /** Notes what is wrong with the values. */
    void check(Mistakes mistakes) {
        mistakes.require(port >= 0 && port <= MAX_PORT, () -> "zookeeper.embedded.port must be 0..65535: " + port);
        if (enabled) {
            mistakes.attempt(this::dataDir);
        }
    }
}
