package org.idallocator.service.config;

import java.nio.file.Path;
import java.util.Optional;
import org.hibernate.validator.constraints.Range;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;

/** {@code zookeeper.embedded}: a ZooKeeper inside the process. */
public final class EmbeddedSection {
    private static final String KEY = "zookeeper.embedded.dataDir";
    private static final String HOME = "~/";
    private static final String DEFAULT = ".id-allocator";

    @Key
    private boolean enabled = false;

    @Key
    private String dataDir = "";

    @Key
    @Range(
            max = ZooKeeperSettings.LARGEST_PORT,
            message = "must be 0.." + ZooKeeperSettings.LARGEST_PORT + ": ${validatedValue}")
    private int port = 0;

    public boolean enabled() {
        return enabled;
    }

    /**
     * The directory of its data: by default one directory for each user, wherever the process is started.
     *
     * @throws IllegalArgumentException when the text is no path or a relative one, or the directory is in the home directory of a
     *     user who has none
     */
    public Path dataDir() {
        return dataDir(dataDir.isBlank() ? HOME + DEFAULT : dataDir, System.getProperty("user.home"));
    }

    /**
     * A relative path would be another directory wherever a process is started, and so another ZooKeeper.
     *
     * @param home as the JVM names it: a question mark where the system knows no home directory
     */
    static Path dataDir(String named, @Nullable String home) {
        if (!named.startsWith(HOME)) {
            Refused.unless(
                    Path.of(named).isAbsolute(),
                    KEY + " must be an absolute path, or begin with ~/ for the home directory: " + Shown.of(named));
            return Path.of(named);
        }
        if (home == null || home.isBlank() || home.equals("?")) {
            throw new IllegalArgumentException(KEY + " must name a directory: " + named
                    + " is none, because this user has no home directory (user.home is " + home + ")");
        }
        return Path.of(home, named.substring(HOME.length()));
    }

    /** Where the token of the admin port is kept when none is configured; empty without an embedded ZooKeeper. */
    public Optional<Path> tokenFile() {
        return enabled ? Optional.of(dataDir().resolve("admin-token")) : Optional.empty();
    }

    /** Its port on the loopback interface, 0..65535; 0 for any free one. */
    public int port() {
        return port;
    }
}
