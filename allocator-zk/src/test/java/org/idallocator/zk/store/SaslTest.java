package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether a client is to log in; no JAAS configuration of this JVM has the sections that these tests name. */
final class SaslTest {
    private static final String SECTION = "zookeeper.sasl.clientconfig";

    private static ZKClientConfig client(@Nullable String file, Map<String, String> properties) {
        ZKClientConfig client = new ZKClientConfig() {
            @Override
            public @Nullable String getJaasConfKey() {
                return file;
            }
        };
        properties.forEach(client::setProperty);
        return client;
    }

    /** Without a section ZooKeeper's own client goes on as anybody, and says so at WARN. */
    @Test
    void shouldMissTheSectionOfAFileThatIsNamed() {
        assertEquals(
                Optional.of(
                        "there is no section Client in /etc/no-such-file, or it cannot be read; where no login is wanted, set"
                                + " zookeeper.sasl.client: \"false\" in zookeeper.properties"),
                Sasl.missing(client("/etc/no-such-file", Map.of())));
    }

    /** A JAAS configuration of the program is for something else. */
    @Test
    void shouldNotLogInToAnEmbeddedZooKeeper() {
        ZooKeeperSettings embedded = ZooKeeperSettings.of("zk:2181")
                .withProperties(Map.of(SECTION, "Nobody"))
                .onEmbedded("127.0.0.1:2181", "a-directory");
        assertFalse(Clients.hasIdentity(embedded));
        assertTrue(Clients.hasIdentity(embedded.withAuth(List.of("digest:replica:tell-nobody"))));
    }
}
