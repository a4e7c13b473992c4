package org.idallocator.zk.lease;

import java.util.OptionalInt;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;

/**
 * ZooKeeper seems to have lost what it had acknowledged, as after a restore from an old backup: the record of a tenure
 * is gone, or at an earlier version than this replica wrote. Versions never go back otherwise, but the server that was
 * read may be behind. Whatever was under way breaks off then, until {@link MetaWatch#removeMetaIfLost} has found out
 * which of the two it is.
 */
final class RolledBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Tenure tenure;
    private final OptionalInt version;

    /** {@code version} is the record's as it was read; empty when there is no record. */
    RolledBackException(Tenure tenure, String path, OptionalInt version) {
        super(path + (version.isEmpty() ? " is gone" : " is at version " + version.getAsInt()) + " and was at "
                + tenure.record().version().orElseThrow());
        this.tenure = tenure;
        this.version = version;
    }

    /** The tenure whose record it is. */
    Tenure tenure() {
        return tenure;
    }

    /** The record's version as it was read; empty when there is no record. */
    OptionalInt version() {
        return version;
    }

    /** What callers are told of such a loss. */
    FencedException refusal() {
        return FencedException.of(FenceReason.ROLLED_BACK, String.valueOf(getMessage()));
    }
}
