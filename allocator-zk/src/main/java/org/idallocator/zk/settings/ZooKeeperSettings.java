package org.idallocator.zk.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How to reach ZooKeeper.
 *
 * @param connect {@code host:port,host:port/chroot}
 * @param root the path below which everything lives, {@code /id-allocator}
 * @param sessionTimeout as asked for, 1 s to {@link #LONGEST_SESSION_TIMEOUT}; the server may negotiate another. The same for
 *     all replicas
 * @param auth {@code scheme:credentials}, added to the session; what is created is then writable by the creator alone
 * @param properties ZooKeeper client properties, TLS among them ({@code zookeeper.client.secure} and so on)
 */
public record ZooKeeperSettings(
        String connect, String root, Duration sessionTimeout, List<String> auth, Map<String, String> properties) {

    /** The longest session timeout. */
    public static final Duration LONGEST_SESSION_TIMEOUT = Duration.ofSeconds(60);

    public ZooKeeperSettings {
        if (!root.matches("(/[A-Za-z0-9._-]+)+")) {
            throw new IllegalArgumentException(
                    "zookeeper.root must be an absolute path such as /id-allocator: " + root);
        }
        if (sessionTimeout.toMillis() < 1_000) {
            throw new IllegalArgumentException(
                    "zookeeper.sessionTimeout must be 1 s or more: " + sessionTimeout.toMillis() + " ms");
        }
        if (sessionTimeout.compareTo(LONGEST_SESSION_TIMEOUT) > 0) {
            throw new IllegalArgumentException("zookeeper.sessionTimeout must be at most "
                    + LONGEST_SESSION_TIMEOUT.toMillis() + " ms: " + sessionTimeout.toMillis()
                    + " ms; the slots of a replica that crashed are held as long");
        }
        auth = List.copyOf(auth);
        properties = Map.copyOf(properties);
    }

    /** The same at another address: {@code host:port,host:port/chroot}. */
    public ZooKeeperSettings withConnect(String address) {
        return new ZooKeeperSettings(address, root, sessionTimeout, auth, properties);
    }

    /** The same below another root. */
    public ZooKeeperSettings withRoot(String path) {
        return new ZooKeeperSettings(connect, path, sessionTimeout, auth, properties);
    }

    /** The same with another session timeout: 1 s to {@link #LONGEST_SESSION_TIMEOUT}. */
    public ZooKeeperSettings withSessionTimeout(Duration other) {
        return new ZooKeeperSettings(connect, root, other, auth, properties);
    }

    /** The same with these credentials, each {@code scheme:credentials}. */
    public ZooKeeperSettings withAuth(List<String> credentials) {
        return new ZooKeeperSettings(connect, root, sessionTimeout, credentials, properties);
    }

    /** The same with these client properties. */
    public ZooKeeperSettings withProperties(Map<String, String> others) {
        return new ZooKeeperSettings(connect, root, sessionTimeout, auth, others);
    }

    /** An ensemble without authentication or TLS, with the defaults. */
    public static ZooKeeperSettings of(String connect) {
        return new ZooKeeperSettings(connect, "/id-allocator", Duration.ofSeconds(10), List.of(), Map.of());
    }
}
