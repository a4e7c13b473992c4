package org.idallocator.service.embedded;

/** Another process, most likely the service, runs a ZooKeeper on the directory. */
public final class DirectoryInUseException extends EmbeddedStartException {
    private static final long serialVersionUID = 1L;

    DirectoryInUseException(DataDirectory directory) {
        super(directory + " is in use by another process; stop that or name another directory");
    }
}
