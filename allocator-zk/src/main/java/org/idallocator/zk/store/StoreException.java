package org.idallocator.zk.store;

import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/** An operation on ZooKeeper that did not give a plain OK. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is known about the operation. */
    public enum Kind {
        /** ZooKeeper gave no answer: the operation may or may not have happened. */
        NO_ANSWER(FenceReason.UNREACHABLE),
        /** The same, and ZooKeeper refuses the client's credentials, so that none of its operations is answered. */
        CREDENTIALS_REFUSED(FenceReason.NO_PERMISSION),
        /**
         * The same, because no TLS connection can be made: a certificate, a key or a host name is not as it should be.
         */
        NO_TLS(FenceReason.TLS_REFUSED),
        /** The chroot of the connect string does not exist, so nothing below it can be made. */
        NO_CHROOT(FenceReason.NO_CHROOT),
        /** ZooKeeper does not allow this client the operation: an ACL is in its way. */
        NO_PERMISSION(FenceReason.NO_PERMISSION),
        /** A node holds something else than it should. */
        MALFORMED(FenceReason.MALFORMED_NODE),
        /** A node was written by a later version of this software, and only such a version can understand it. */
        NEWER(FenceReason.NEWER_VERSION);

        private final FenceReason reason;

        Kind(FenceReason reason) {
            this.reason = reason;
        }
    }

    private final Kind kind;

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** There is no answer of the session that was to be asked: another one has taken its place. */
    public static StoreException anotherSession() {
        return new StoreException(Kind.NO_ANSWER, "another session serves than the one before");
    }

    public Kind kind() {
        return kind;
    }

    /** Whether ZooKeeper gave no answer: the operation may or may not have happened. */
    public boolean unanswered() {
        return kind == Kind.NO_ANSWER || kind == Kind.CREDENTIALS_REFUSED || kind == Kind.NO_TLS;
    }

    /** What callers are told while no tenure serves because of this. */
    public FencedException fenced() {
        return FencedException.of(kind.reason, String.valueOf(getMessage()));
    }
}
