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
     * The directory of the data; by default one for each user, wherever the process is started. A relative path is
     * refused, because it would mean another directory, and so another ZooKeeper, wherever a process is started.
     *
     * @throws BadValueException when the text is no absolute path, or the user has no home directory
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

    /** The file for a token of the admin port that is generated; empty without an embedded ZooKeeper. */
    public Optional<Path> tokenFile() {
        return enabled ? Optional.of(dataDir().resolve("admin-token")) : Optional.empty();
    }
}
