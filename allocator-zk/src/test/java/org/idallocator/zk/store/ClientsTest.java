package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientsTest {
    private static final String SOCKET = ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET;

    private static String socket(Map<String, String> properties) {
        return Clients.properties(ZooKeeperSettings.of("zk:1").withProperties(properties))
                .getProperty(SOCKET);
    }

    /** Any other socket would connect in the clear, whatever is asked for. */
    @ParameterizedTest
    @ValueSource(strings = {"org.apache.zookeeper.ClientCnxnSocketNIO", "ClientCnxnSocketNetty"})
    void shouldSpeakTlsOnTheSocketThatCan(String named) {
        String netty = "org.apache.zookeeper.ClientCnxnSocketNetty";
        assertEquals(netty, socket(Map.of(ZKClientConfig.SECURE_CLIENT, "True")));
        assertEquals(netty, socket(Map.of(ZKClientConfig.SECURE_CLIENT, "true", SOCKET, named)));
    }

    @Test
    void shouldLeaveTheSocketToTheClientWithoutTls() {
        assertNull(socket(Map.of(ZKClientConfig.SECURE_CLIENT, "false")));
    }
}
