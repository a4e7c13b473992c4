package org.idallocator.zk.operator;

import java.util.Optional;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path that a connect string ends in. All other paths are below it, and so everything seems to be missing where it is missing.
 */
final class Chroot {
    private static final Logger LOG = LoggerFactory.getLogger(Chroot.class);

    private Chroot() {}

    /** {@code /ids}; empty where the connect string has none. */
    static Optional<String> of(String connect) {
        int slash = connect.indexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(connect.substring(slash));
    }

    /** Whether there is no such node. Who may not read the node knows that it is there. */
    static boolean isMissing(Store store) {
        try {
            return store.read("/").isEmpty();
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            LOG.debug("the chroot is there, and not readable", e);
            return false;
        }
    }

    /** Throws {@link StoreException} {@code NO_CHROOT} where the chroot of the connect string does not exist. */
    static void require(Store store, String connect) {
        Optional<String> chroot = of(connect);
        if (chroot.isPresent() && isMissing(store)) {
            throw new StoreException(
                    StoreException.Kind.NO_CHROOT,
                    "the path " + chroot.get() + " of zookeeper.connect does not exist: create it, or correct it");
        }
    }
}
