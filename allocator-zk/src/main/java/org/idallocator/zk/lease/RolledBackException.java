package org.idallocator.zk.lease;

/**
 * ZooKeeper seems to have lost what it had acknowledged, as after a restore from an old backup: the record of a tenure is gone
 * or at a version before the one that this replica wrote. Versions never go back otherwise; but a server may be behind.
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

    /** The record's version as it was read; -1 when there is none. */
    int version() {
        return version;
    }

    /** The tenure that wrote what is lost. */
    Tenure witness() {
        return witness;
    }
}
