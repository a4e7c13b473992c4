package org.idallocator.zk.settings;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.common.ZKConfig;

/**
 * The properties that ZooKeeper's client knows. The client ignores any other without a word: a misspelt trust store would be
 * looked for in vain, and a misspelt {@code zookeeper.client.secure} would connect without TLS.
 */
final class ClientProperties {
    private static final String NETTY = "org.apache.zookeeper.ClientCnxnSocketNetty";
    private static final Set<String> KNOWN = known();

    private ClientProperties() {}

    private static Set<String> known() {
        Set<String> all = new TreeSet<>(Set.of(
                ZKClientConfig.ZK_SASL_CLIENT_USERNAME,
                ZKClientConfig.ZK_SASL_CLIENT_CANONICALIZE_HOSTNAME,
                ZKClientConfig.LOGIN_CONTEXT_NAME_KEY,
                ZKClientConfig.ENABLE_CLIENT_SASL_KEY,
                ZKClientConfig.ZOOKEEPER_SERVER_REALM,
                ZKClientConfig.ZOOKEEPER_SERVER_PRINCIPAL,
                ZKClientConfig.DISABLE_AUTO_WATCH_RESET,
                ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
                ZKClientConfig.SECURE_CLIENT,
                ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT,
                ZKConfig.JUTE_MAXBUFFER,
                ZKConfig.KINIT_COMMAND,
                ZKConfig.JGSS_NATIVE));
        try (X509Util tls = new ClientX509Util()) {
            all.addAll(List.of(
                    tls.getSslProtocolProperty(),
                    tls.getSslEnabledProtocolsProperty(),
                    tls.getSslCipherSuitesProperty(),
                    tls.getSslKeystoreLocationProperty(),
                    tls.getSslKeystorePasswdProperty(),
                    tls.getSslKeystorePasswdPathProperty(),
                    tls.getSslKeystoreTypeProperty(),
                    tls.getSslTruststoreLocationProperty(),
                    tls.getSslTruststorePasswdProperty(),
                    tls.getSslTruststorePasswdPathProperty(),
                    tls.getSslTruststoreTypeProperty(),
                    tls.getSslContextSupplierClassProperty(),
                    tls.getSslHostnameVerificationEnabledProperty(),
                    tls.getSslClientHostnameVerificationEnabledProperty(),
                    tls.getSslAllowReverseDnsLookupProperty(),
                    tls.getSslCrlEnabledProperty(),
                    tls.getSslOcspEnabledProperty(),
                    tls.getSslClientAuthProperty(),
                    tls.getSslHandshakeDetectionTimeoutMillisProperty(),
                    tls.getFipsModeProperty()));
        }
        return all;
    }

    /** Notes the keys that the client does not know, with the nearest that it does, and TLS that would not be used. */
    static void check(Map<String, String> properties, Mistakes mistakes) {
        properties.keySet().stream().sorted().forEach(key -> mistakes.require(isKnown(key), () -> unknown(key)));
        String secure = properties.getOrDefault(ZKClientConfig.SECURE_CLIENT, "false");
        mistakes.require(
                Set.of("true", "false").contains(secure),
                () -> "zookeeper.properties: " + ZKClientConfig.SECURE_CLIENT + " must be true or false: " + secure);
        mistakes.require(
                !secure.equals("true") || properties.containsKey(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET),
                () -> "zookeeper.properties: " + ZKClientConfig.SECURE_CLIENT + " does nothing without "
                        + ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET + ": " + NETTY);
    }

    /** All keys that this release of the client reads, as far as it tells. */
    static boolean isKnown(String key) {
        return KNOWN.contains(key);
    }

    private static String unknown(String key) {
        String nearest = KNOWN.stream()
                .max(Comparator.comparingInt(known -> inCommon(known, key)))
                .orElseThrow();
        return "zookeeper.properties: ZooKeeper's client knows no " + key + "; did you mean " + nearest + "?";
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
