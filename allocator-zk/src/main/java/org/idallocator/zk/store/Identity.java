package org.idallocator.zk.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Security;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ClientInfo;
import org.apache.zookeeper.data.Id;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * Who a client is to ZooKeeper, as ACLs name it. ZooKeeper tells it, but for a user with a password (digest): of such it tells the
 * name alone, which anybody may take with another password. So that identity comes from the settings, with every hash that a server
 * may be configured to take.
 *
 * @param ids all that an ACL may call this client, and nobody else
 */
record Identity(Set<Id> ids) {
    private static final String DIGEST = "digest";

    /** Schemes that tell no client from others, or not by a secret. */
    private static final Set<String> NOT_PROVEN = Set.of("world", "ip", DIGEST);

    Identity {
        ids = Set.copyOf(ids);
    }

    /** Asks ZooKeeper; a server before 3.7 tells nothing, and then the settings alone count. */
    static Identity of(ZooKeeper zookeeper, ZooKeeperSettings settings) throws InterruptedException {
        Set<Id> ids = new HashSet<>();
        for (ClientInfo info : Objects.requireNonNullElse(zookeeper.whoAmI(), List.<ClientInfo>of())) {
            if (!NOT_PROVEN.contains(info.getAuthScheme())) {
                ids.add(new Id(info.getAuthScheme(), info.getUser()));
            }
        }
        settings.auth().stream()
                .filter(auth -> auth.startsWith(DIGEST + ":"))
                .map(auth -> auth.substring(DIGEST.length() + 1))
                .forEach(credentials -> ids.addAll(digests(credentials)));
        return new Identity(ids);
    }

    /** A server takes SHA1 unless it is told to take another (zookeeper.DigestAuthenticationProvider.digestAlg). */
    private static List<Id> digests(String credentials) {
        String user = credentials.split(":", 2)[0];
        return Security.getAlgorithms("MessageDigest").stream()
                .map(algorithm -> new Id(DIGEST, user + ":" + digest(algorithm, credentials)))
                .toList();
    }

    private static String digest(String algorithm, String credentials) {
        try {
            byte[] hash = MessageDigest.getInstance(algorithm).digest(credentials.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(algorithm + " is listed, and is none", e);
        }
    }

    boolean includes(Id id) {
        return ids.contains(id);
    }
}
