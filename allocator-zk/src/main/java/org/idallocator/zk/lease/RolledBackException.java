package org.idallocator.zk.lease;

/**
 * ZooKeeper seems to have lost what it had acknowledged, as after a restore from an old backup: the record of a tenure is gone,
 * or at an earlier version than this replica wrote. Versions never go back otherwise, but the server that was read may be
 * behind.
 */
final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Tenure witness;
    private final int version;

    RolledBackException(Tenure witness, String path, int version) {
        super(path + (version < 0 ? " is gone" : " is at version " + version) + " and was at "
                + witness.recordVersion());
        this.witness = witness;
        this.version = version;
    }

    /** The record's version as it was read; -1 when there is no record. */
    int version() {
        return version;
    }

    /** The tenure that wrote what seems to be lost. */
    Tenure witness() {
        return witness;
    }
}
