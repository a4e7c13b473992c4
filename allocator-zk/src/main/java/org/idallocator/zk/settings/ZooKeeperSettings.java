package org.idallocator.zk.settings;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * How to reach ZooKeeper.
 *
 * @param connect {@code host:port,host:port/chroot}; IPv6 addresses are in brackets, and a port that is left out is 2181
 * @param root the path below which everything lives, {@code /id-allocator}
 * @param sessionTimeout as asked for, 1 s to {@link #LONGEST_SESSION_TIMEOUT}; the server may negotiate another. The same for
 *     all replicas
 * @param auth {@code scheme:credentials}, such as {@code digest:user:password}, added to the session; what is created is then writable by the creator alone
 * @param properties ZooKeeper client properties, TLS among them ({@code zookeeper.client.secure} and so on); a key that the
 *     client does not know is refused
 */
public record ZooKeeperSettings(
        String connect, String root, Duration sessionTimeout, List<String> auth, Map<String, String> properties) {

    /** The shortest session timeout. */
    public static final Duration SHORTEST_SESSION_TIMEOUT = Duration.ofSeconds(1);

    /** The longest session timeout. */
    public static final Duration LONGEST_SESSION_TIMEOUT = Duration.ofSeconds(60);

    /** The largest port of an address. */
    public static final int LARGEST_PORT = 65_535;

    /** The scheme in {@link #auth} with which a client names the embedded ZooKeeper that it wants. It makes nobody an owner. */
    public static final String EMBEDDED = "id-allocator-embedded";

    /** The key of {@link #sessionTimeout}. */
    static final String SESSION_TIMEOUT = "zookeeper.sessionTimeout";

    private static final String CONNECT = "zookeeper.connect";
    private static final String ROOT_KEY = "zookeeper.root";
    private static final String DIGEST = "digest:";
    private static final Pattern ROOT = Pattern.compile("(/[A-Za-z0-9._-]+)+");
    private static final Pattern AUTH_SCHEME = Pattern.compile("[A-Za-z0-9_-]+");

    /** Throws {@link InvalidSettingsException} with all that is wrong; it tells no credentials. */
    public ZooKeeperSettings {
        auth = List.copyOf(auth);
        properties = Map.copyOf(properties);
        Mistakes mistakes = new Mistakes();
        ConnectString.mistake(connect)
                .ifPresent(why -> mistakes.add(
                        CONNECT,
                        "must be host:port,host:port and a chroot if there is one," + " as in zk1:2181,zk2:2181/ids: "
                                + Shown.of(connect) + " (" + why + ")"));
        checkRoot(root, mistakes);
        checkSessionTimeout(sessionTimeout, mistakes);
        for (int i = 0; i < auth.size(); i++) {
            checkAuth("zookeeper.auth[" + i + "]", auth.get(i), mistakes);
        }
        ClientProperties.check(properties, mistakes);
        mistakes.throwIfAny();
    }

    private static void checkRoot(String root, Mistakes mistakes) {
        mistakes.require(
                ROOT.matcher(root).matches() && ConnectString.isPath(root),
                ROOT_KEY,
                () -> "must be an absolute path such as /id-allocator: " + Shown.of(root));
        mistakes.require(
                !(root + "/").startsWith("/zookeeper/"),
                ROOT_KEY,
                () -> "must not be /zookeeper, which is ZooKeeper's own: " + Shown.of(root));
    }

    private static void checkSessionTimeout(Duration sessionTimeout, Mistakes mistakes) {
        mistakes.require(
                sessionTimeout.compareTo(SHORTEST_SESSION_TIMEOUT) >= 0,
                SESSION_TIMEOUT,
                () -> "must be 1 s or more: " + sessionTimeout.toMillis() + " ms");
        mistakes.require(
                sessionTimeout.compareTo(LONGEST_SESSION_TIMEOUT) <= 0,
                SESSION_TIMEOUT,
                () -> "must be at most " + LONGEST_SESSION_TIMEOUT.toMillis() + " ms: " + sessionTimeout.toMillis()
                        + " ms; the slots of a replica that crashed are held as long");
    }

    /** Tells nothing of the value: without its scheme, a text may be a password. */
    private static void checkAuth(String key, String text, Mistakes mistakes) {
        int colon = text.indexOf(':');
        if (colon < 1
                || colon == text.length() - 1
                || !AUTH_SCHEME.matcher(text.substring(0, colon)).matches()) {
            mistakes.add(key, "must be scheme:credentials, such as digest:user:password (the value is not shown)");
        } else if (!text.startsWith(DIGEST) && text.regionMatches(true, 0, DIGEST, 0, DIGEST.length())) {
            mistakes.add(
                    key,
                    "must begin with digest, not " + text.substring(0, colon)
                            + ": ZooKeeper knows schemes by their exact names (the rest is not shown)");
        } else if (text.startsWith(DIGEST) && !text.matches("(?s)digest:[^:]+:.+")) {
            mistakes.add(key, "must be digest:user:password (the value is not shown)");
        }
    }

    /** Without the credentials and the values of properties, which may be passwords: settings are logged. */
    @Override
    public String toString() {
        return "ZooKeeperSettings[connect=" + connect + ", root=" + root + ", sessionTimeout=" + sessionTimeout
                + ", auth=" + auth.size() + " not shown, properties=" + new TreeSet<>(properties.keySet()) + "]";
    }

    /** The same at another address: {@code host:port,host:port/chroot}. */
    public ZooKeeperSettings withConnect(String address) {
        return new ZooKeeperSettings(address, root, sessionTimeout, auth, properties);
    }

    /**
     * The same on the embedded ZooKeeper of one directory. Whatever else listens there now or later gives this client a session,
     * refuses its credentials, and closes the connection. It serves no request: nothing of it is read, and nothing in it is made.
     *
     * @param address {@code host:port}
     * @param identity the lasting random name of the directory
     */
    public ZooKeeperSettings onEmbedded(String address, String identity) {
        List<String> proofs = Stream.concat(auth.stream(), Stream.of(EMBEDDED + ":" + identity))
                .toList();
        return new ZooKeeperSettings(address, root, sessionTimeout, proofs, properties);
    }

    /**
     * The same without a SASL login. For an embedded ZooKeeper, which knows nobody, before its identity is known: a JAAS
     * configuration of the program is for something else.
     */
    public ZooKeeperSettings withoutLogin() {
        Map<String, String> all = new HashMap<>(properties);
        all.put(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        return withProperties(all);
    }

    /** Whether the client looks for the embedded ZooKeeper of one directory, and for no other. */
    public boolean namesEmbedded() {
        return auth.stream().anyMatch(each -> each.startsWith(EMBEDDED + ":"));
    }

    /** Whether there are credentials beside those that name an embedded ZooKeeper, which make nobody an owner. */
    public boolean hasCredentials() {
        return auth.stream().anyMatch(each -> !each.startsWith(EMBEDDED + ":"));
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
