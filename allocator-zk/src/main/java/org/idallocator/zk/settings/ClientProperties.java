package org.idallocator.zk.settings;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;

/**
 * The properties that ZooKeeper's client knows, as its classes name them. The client ignores any other without a word: a misspelt
 * trust store would be looked for in vain, and a misspelt {@code zookeeper.client.secure} would connect without TLS.
 */
final class ClientProperties {
    private static final String KEY = "zookeeper.properties";
    private static final String NETTY = "org.apache.zookeeper.ClientCnxnSocketNetty";

    private ClientProperties() {}

    /** What the client knows. Asked only about properties that somebody has set, because asking loads the client's TLS. */
    private static final class Known {
        static final Set<String> KEYS = keys();
    }

    /** The names in the constants of the client's configuration, and those that the getters of its TLS name. */
    private static Set<String> keys() {
        Set<String> all = new TreeSet<>();
        try (ClientX509Util tls = new ClientX509Util()) {
            for (Field field : ZKClientConfig.class.getFields()) {
                if (field.getType() == String.class && !field.getName().endsWith("_DEFAULT")) {
                    all.add((String) field.get(null));
                }
            }
            for (Method method : ClientX509Util.class.getMethods()) {
                if (method.getName().matches("get\\w+Property") && method.getParameterCount() == 0) {
                    all.add((String) method.invoke(tls));
                }
            }
            return all;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("ZooKeeper's client does not tell its properties", e);
        }
    }

    /** Notes the keys that the client does not know, with the nearest that it does, and TLS that would not be used. */
    static void check(Map<String, String> properties, Mistakes mistakes) {
        properties.keySet().stream()
                .sorted()
                .filter(key -> !Known.KEYS.contains(key))
                .forEach(key -> mistakes.addUnknown(KEY, key, "did you mean " + nearest(key) + "?"));
        Optional<String> secure = Optional.ofNullable(properties.get(ZKClientConfig.SECURE_CLIENT));
        mistakes.require(
                secure.isEmpty() || secure.get().matches("(?i)true|false"),
                KEY + "." + ZKClientConfig.SECURE_CLIENT,
                () -> "must be true or false: " + Shown.of(secure.orElseThrow()));
        checkSocket(properties, mistakes);
        checkWatches(properties, mistakes);
    }

    /** A client that forgets its watches when it connects again would not hear that somebody changed what a replica holds. */
    private static void checkWatches(Map<String, String> properties, Mistakes mistakes) {
        String disabled =
                inEffect(properties, ZKClientConfig.DISABLE_AUTO_WATCH_RESET).orElse("false");
        mistakes.require(
                !Boolean.parseBoolean(disabled.trim()),
                KEY + "." + ZKClientConfig.DISABLE_AUTO_WATCH_RESET,
                () -> "must be false or left out, as replicas need their watches after they connect again: "
                        + Shown.of(disabled));
    }

    /** Only Netty's socket speaks TLS. The other one, the default, connects in the clear, whatever is asked for. */
    private static void checkSocket(Map<String, String> properties, Mistakes mistakes) {
        boolean secure = inEffect(properties, ZKClientConfig.SECURE_CLIENT)
                .filter(value -> Boolean.parseBoolean(value.trim()))
                .isPresent();
        String socket = inEffect(properties, ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET)
                .orElse("left out");
        mistakes.require(
                !secure || isNetty(socket),
                KEY + "." + ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
                () -> "must be " + NETTY + " where " + ZKClientConfig.SECURE_CLIENT
                        + " is true, as no other speaks TLS: " + Shown.of(socket));
    }

    /** As the client will read the property. Its own configuration would tell as well, but making one loads the client's TLS. */
    private static Optional<String> inEffect(Map<String, String> properties, String key) {
        return Optional.ofNullable(properties.get(key)).or(() -> Optional.ofNullable(System.getProperty(key)));
    }

    /** The client takes the name of the class with its package and without. */
    private static boolean isNetty(String socket) {
        return socket.equals(NETTY) || socket.equals(NETTY.substring(NETTY.lastIndexOf('.') + 1));
    }

    private static String nearest(String key) {
        return Known.KEYS.stream()
                .max(Comparator.comparingInt(known -> inCommon(known, key)))
                .orElseThrow();
    }

    /** How many characters two keys have in common from their beginning on, whatever their case. */
    private static int inCommon(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int same = 0;
        while (same < Math.min(a.length(), b.length()) && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        return same;
    }
}
