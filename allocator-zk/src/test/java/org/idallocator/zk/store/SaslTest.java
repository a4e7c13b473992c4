package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;

/** Whether a client is to log in; no JAAS configuration of this JVM has the sections that these tests name. */
final class SaslTest {
    private static final String SECTION = "zookeeper.sasl.clientconfig";

    private static ZKClientConfig client(Map<String, String> properties) {
        ZKClientConfig client = new ZKClientConfig();
        properties.forEach(client::setProperty);
        return client;
    }

    @Test
    void shouldLogInNowhereUnlessSomebodyAsksForIt() {
        assertEquals(Optional.empty(), Sasl.section(client(Map.of())));
        assertEquals(Optional.empty(), Sasl.trouble(client(Map.of())));
        ZKClientConfig off = client(Map.of(SECTION, "Nobody", "zookeeper.sasl.client", "false"));
        assertEquals(Optional.empty(), Sasl.section(off));
        assertEquals(Optional.empty(), Sasl.trouble(off, Optional.of("/etc/no-such-file")));
    }

    /** Without a section ZooKeeper's own client goes on as anybody, and says so at WARN. */
    @Test
    void shouldMissTheSectionOfAFileThatIsNamed() {
        assertEquals(
                Optional.of(
                        "there is no section Client in /etc/no-such-file, or it cannot be read; where no login is wanted, set"
                                + " zookeeper.sasl.client: \"false\" in zookeeper.properties"),
                Sasl.trouble(client(Map.of()), Optional.of("/etc/no-such-file")));
    }

    /** What is made belongs to who makes it alone, also where that turns out to be nobody. */
    @Test
    void shouldMakeNothingForEverybodyWhereALoginIsAskedFor() {
        ZooKeeperSettings asks = ZooKeeperSettings.of("zk:2181").withProperties(Map.of(SECTION, "Nobody"));
        assertTrue(Clients.hasIdentity(asks));
        assertFalse(Clients.hasIdentity(ZooKeeperSettings.of("zk:2181")));
    }

    /** A JAAS configuration of the program is for something else. */
    @Test
    void shouldNotLogInToAnEmbeddedZooKeeper() {
        ZooKeeperSettings embedded = ZooKeeperSettings.of("zk:2181")
                .withProperties(Map.of(SECTION, "Nobody"))
                .onEmbedded("127.0.0.1:2181", "a-directory");
        assertEquals(Optional.empty(), Clients.saslTrouble(embedded));
        assertFalse(Clients.hasIdentity(embedded));
        assertTrue(Clients.hasIdentity(embedded.withAuth(List.of("digest:replica:tell-nobody"))));
    }
}
