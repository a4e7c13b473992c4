package org.idallocator.dropwizard.config;

import java.nio.file.Path;
import java.util.Optional;
import org.idallocator.core.id.BadValueException;
import org.idallocator.zk.settings.Shown;

/** {@code zookeeper.embedded}: a ZooKeeper inside the process. */
public final class EmbeddedSection {
    private static final String DATA_DIR = "zookeeper.embedded.dataDir";
    private static final String HOME = "~/";
    private static final String DEFAULT = HOME + ".id-allocator";

    @Key
    private boolean enabled = false;

    @Key
    private String dataDir = "";

    public boolean isEnabled() {
        return enabled;
    }

    /**
     * The directory of its data: by default one directory for each user, wherever the process is started. A relative
     * path would be another directory wherever a process is started, and so another ZooKeeper.
     *
     * @throws BadValueException when the text is no path or a relative one, or the user has no home directory
     */
    public Path dataDir() {
        String named = dataDir.isBlank() ? DEFAULT : dataDir;
        Path written = Checks.path(DATA_DIR, named);
        Path path = named.startsWith(HOME)
                ? Path.of(System.getProperty("user.home", ""), named.substring(HOME.length()))
                : written;
        Shown.require(
                path.isAbsolute(),
                DATA_DIR,
                "must be an absolute path, or begin with ~/ where the user has a home directory",
                named);
        return path;
    }

    /** Where the token of the admin port is kept when none is configured; empty without an embedded ZooKeeper. */
    public Optional<Path> tokenFile() {
        return enabled ? Optional.of(dataDir().resolve("admin-token")) : Optional.empty();
    }
}
