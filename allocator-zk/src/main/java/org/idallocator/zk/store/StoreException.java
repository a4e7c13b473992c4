package org.idallocator.zk.store;

import org.jspecify.annotations.Nullable;

/** An operation on ZooKeeper that did not give a plain OK. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is known about the operation. */
    public enum Kind {
        /** ZooKeeper gave no answer: the operation may or may not have happened. */
        UNCERTAIN,
        /** The same, and ZooKeeper refuses the client's credentials, so that none of its operations is answered. */
        REFUSED,
        /** The same, because no TLS connection can be made: a certificate, a key or a host name is not as it should be. */
        NO_TLS,
        /** A node was missing, or existed, or had another version: nothing was written, unless by an earlier attempt. */
        CONFLICT,
        /** The chroot of the connect string does not exist, so nothing below it can be made. */
        NO_CHROOT,
        /** ZooKeeper does not allow this client the operation: an ACL is in its way. */
        NO_PERMISSION,
        /** A node holds something else than it should. */
        MALFORMED,
        /** A node was written by a later version of this software, and only such a version can understand it. */
        NEWER
    }

    private final Kind kind;

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Whether ZooKeeper gave no answer: the operation may or may not have happened. */
    public boolean unanswered() {
        return kind == Kind.UNCERTAIN || kind == Kind.REFUSED || kind == Kind.NO_TLS;
    }
}
