package org.idallocator.zk.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.curator.framework.AuthInfo;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** Opens Curator clients. Their retries are short: the lease loop has deadlines of its own. */
public final class Clients {
    private static final int RETRY_MILLIS = 100;
    private static final int CONNECTION_MILLIS = 2_000;
    private static final int CLOSE_MILLIS = 1_000;

    private Clients() {}

    /** A client that is not started yet. */
    public static CuratorFramework open(ZooKeeperSettings settings) {
        return CuratorFrameworkFactory.builder()
                .connectString(settings.connect())
                .sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
                .connectionTimeoutMs(CONNECTION_MILLIS)
                .maxCloseWaitMs(CLOSE_MILLIS)
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .ensembleTracker(false)
                .authorization(settings.auth().stream().map(Clients::auth).toList())
                .dontUseContainerParents()
                .zkClientConfig(properties(settings))
                .aclProvider(
                        new FixedAcl(hasIdentity(settings) ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE))
                .build();
    }

    /**
     * Closes a client, which ends its session. ZooKeeper's own client waits for the answer, for most of a session
     * timeout. Here it is interrupted after a second: then the session ends by itself. Waits for two seconds at most.
     */
    public static void close(CuratorFramework client) {
        Thread closing = closeInBackground(client);
        try {
            closing.join(CLOSE_MILLIS);
            closing.interrupt();
            closing.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            closing.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** Closes a client by a thread of its own, which is returned, and does not keep a program from ending. */
    static Thread closeInBackground(CuratorFramework client) {
        Thread closing = new Thread(client::close, "id-allocator-close");
        closing.setDaemon(true);
        closing.start();
        return closing;
    }

    /**
     * Whether ZooKeeper learns who a client of these settings is. Then what the client makes is writable by that
     * identity alone.
     */
    public static boolean hasIdentity(ZooKeeperSettings settings) {
        return settings.hasCredentials() || Sasl.section(properties(settings)).isPresent();
    }

    /**
     * An embedded ZooKeeper knows nobody, so a JAAS configuration is for something else. Only Netty's socket speaks
     * TLS; any other would connect in the clear.
     */
    static ZKClientConfig properties(ZooKeeperSettings settings) {
        ZKClientConfig properties = new ZKClientConfig();
        settings.properties().forEach(properties::setProperty);
        if (settings.namesEmbedded()) {
            properties.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        }
        if (properties.getBoolean(ZKClientConfig.SECURE_CLIENT)) {
            properties.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
        }
        return properties;
    }

    private static AuthInfo auth(String text) {
        int colon = text.indexOf(':');
        return new AuthInfo(text.substring(0, colon), text.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
    }

    /** The same for all that is made. */
    private record FixedAcl(List<ACL> acl) implements ACLProvider {
        @Override
        public List<ACL> getDefaultAcl() {
            return acl;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return acl;
        }
    }
}
