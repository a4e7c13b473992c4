package org.idallocator.service.embedded;

import java.nio.file.Path;

/** Another process, most likely the service, runs a ZooKeeper on the directory. */
public final class DirectoryInUseException extends EmbeddedStartException {
    private static final long serialVersionUID = 1L;

    DirectoryInUseException(Path directory) {
        super("zookeeper.embedded.dataDir " + directory
                + " is in use by another process; stop that or name another directory");
    }
}
