package org.idallocator.zk.settings;

import com.google.common.base.Strings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.core.id.BadValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How to reach ZooKeeper.
 *
 * @param connect {@code host:port,host:port/chroot}; IPv6 addresses are in brackets, and a port that is left out is
 *     2181
 * @param root the path below which everything lives, {@code /id-allocator}
 * @param sessionTimeout as asked for, as {@link Terms#SESSION_TIMEOUT} allows; the server may negotiate another. The
 *     same for all replicas
 * @param auth {@code scheme:credentials}, as {@code digest:user:password}, added to the session; only the creator may
 *     then write what it creates
 * @param properties client properties, as {@code zookeeper.client.secure} for TLS; the client ignores unknown keys
 */
public record ZooKeeperSettings(
        String connect, String root, Duration sessionTimeout, List<String> auth, Map<String, String> properties) {

    /** The root where a configuration says nothing of it. */
    public static final String DEFAULT_ROOT = "/id-allocator";

    /** The largest port of an address. */
    public static final int LARGEST_PORT = 65_535;

    /**
     * The scheme in {@link #auth} with which a client names the embedded ZooKeeper that it wants. It makes nobody an
     * owner.
     */
    public static final String EMBEDDED = "id-allocator-embedded";

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperSettings.class);
    private static final String HOST = "(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9_][A-Za-z0-9_.-]*)(:[1-9][0-9]{0,4})?";
    private static final Pattern CONNECT = Pattern.compile(HOST + "(," + HOST + ")*(?!/zookeeper(/|$))(/[^/,]+)*");
    private static final Pattern ROOT = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._-]+)+");

    /** ZooKeeper knows {@code digest} by that name only. */
    private static final Pattern AUTH = Pattern.compile("(?s)digest:[^:]+:.+|(?!(?i:digest):)[A-Za-z0-9_-]+:.+");

    /** Throws {@link BadValueException} that names the first bad key, and what is allowed; it tells no credentials. */
    public ZooKeeperSettings {
        auth = List.copyOf(auth);
        properties = Map.copyOf(properties);
        Shown.require(
                isConnectString(connect),
                "zookeeper.connect",
                "must be host:port,host:port and a chroot if there is one, as in zk1:2181,zk2:2181/ids",
                connect);
        boolean wellFormed = ROOT.matcher(root).matches();
        Shown.require(wellFormed, "zookeeper.root", "must be an absolute path such as /id-allocator", root);
        boolean zookeepersOwn = (root + "/").startsWith("/zookeeper/");
        Shown.require(!zookeepersOwn, "zookeeper.root", "must not be /zookeeper, which is ZooKeeper's own", root);
        Terms.SESSION_TIMEOUT.require(sessionTimeout);
        for (int i = 0; i < auth.size(); i++) { // a text without a scheme may be a password
            if (!AUTH.matcher(auth.get(i)).matches()) {
                throw new BadValueException(
                        "zookeeper.auth[" + i + "]",
                        "must be scheme:credentials, such as digest:user:password (the value is not shown)");
            }
        }
        String secure = properties.getOrDefault(ZKClientConfig.SECURE_CLIENT, "false");
        String secureKey = "zookeeper.properties." + ZKClientConfig.SECURE_CLIENT;
        Shown.require(secure.matches("(?i)true|false"), secureKey, "must be true or false", secure);
    }

    /** The client takes nearly any text, and then looks for hosts that do not exist, without end. */
    private static boolean isConnectString(String text) {
        try {
            return CONNECT.matcher(text).matches()
                    && !new ConnectStringParser(text).getServerAddresses().isEmpty();
        } catch (IllegalArgumentException e) { // a port, or a chroot, that cannot be
            LOG.debug("no connect string", e);
            return false;
        }
    }

    /** Without the credentials and the values of properties, which may be passwords: settings are logged. */
    @Override
    public String toString() {
        return "ZooKeeperSettings[connect=" + connect + ", root=" + root + ", sessionTimeout=" + sessionTimeout
                + ", auth=" + auth.size() + " not shown, properties=" + new TreeSet<>(properties.keySet()) + "]";
    }

    /** The servers of the connect string, in its order, none of them looked up. */
    public List<InetSocketAddress> servers() {
        return new ConnectStringParser(connect).getServerAddresses();
    }

    /**
     * The path that the connect string ends in, {@code /ids}. All other paths are below it; empty where there is none.
     */
    public String chroot() {
        return Strings.nullToEmpty(new ConnectStringParser(connect).getChrootPath());
    }

    /** The same at another address: {@code host:port,host:port/chroot}. */
    public ZooKeeperSettings withConnect(String address) {
        return new ZooKeeperSettings(address, root, sessionTimeout, auth, properties);
    }

    /**
     * The same on the embedded ZooKeeper of one directory. Any other ZooKeeper at this address, now or later, gives
     * this client a session, refuses its credentials, and closes the connection. The client reads nothing from it, and
     * makes nothing in it.
     *
     * @param address {@code host:port}
     * @param identity the lasting random name of the directory
     */
    public ZooKeeperSettings onEmbedded(String address, String identity) {
        List<String> proofs = Stream.concat(auth.stream(), Stream.of(EMBEDDED + ":" + identity))
                .toList();
        return new ZooKeeperSettings(address, root, sessionTimeout, proofs, properties);
    }

    /** Whether the client looks for the embedded ZooKeeper of one directory, and for no other. */
    public boolean namesEmbedded() {
        return auth.stream().anyMatch(ZooKeeperSettings::namesEmbedded);
    }

    private static boolean namesEmbedded(String credentials) {
        return credentials.startsWith(EMBEDDED + ":");
    }

    /** Whether there are credentials that make an owner: credentials that name an embedded ZooKeeper do not. */
    public boolean hasCredentials() {
        return !auth.stream().allMatch(ZooKeeperSettings::namesEmbedded);
    }

    /** The same below another root. */
    public ZooKeeperSettings withRoot(String path) {
        return new ZooKeeperSettings(connect, path, sessionTimeout, auth, properties);
    }

    /** The same with another session timeout, as {@link Terms#SESSION_TIMEOUT} allows. */
    public ZooKeeperSettings withSessionTimeout(Duration other) {
        return new ZooKeeperSettings(connect, root, other, auth, properties);
    }

    /**
     * The same with these credentials, each {@code scheme:credentials}. The embedded ZooKeeper that is wanted stays so.
     */
    public ZooKeeperSettings withAuth(List<String> credentials) {
        Stream<String> embedded = auth.stream().filter(ZooKeeperSettings::namesEmbedded);
        List<String> all = Stream.concat(credentials.stream(), embedded).toList();
        return new ZooKeeperSettings(connect, root, sessionTimeout, all, properties);
    }

    /** The same with these client properties. */
    public ZooKeeperSettings withProperties(Map<String, String> others) {
        return new ZooKeeperSettings(connect, root, sessionTimeout, auth, others);
    }

    /** An ensemble without authentication or TLS, with {@link #DEFAULT_ROOT} and the usual session timeout. */
    public static ZooKeeperSettings of(String connect) {
        return new ZooKeeperSettings(connect, DEFAULT_ROOT, Terms.SESSION_TIMEOUT.usual(), List.of(), Map.of());
    }
}
