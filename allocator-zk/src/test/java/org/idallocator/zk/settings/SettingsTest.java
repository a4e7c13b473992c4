package org.idallocator.zk.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Util;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.junit.jupiter.api.Test;

/** Each setting can be changed by itself, and nothing else changes with it. */
final class SettingsTest {
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Scheme<?>> SCHEMES = List.of(new EightByteScheme(3));
    private static final Replica REPLICA = new Replica("a", "host", 1, "");
    private static final ZooKeeperSettings ZOOKEEPER = new ZooKeeperSettings(
            "zk:2181", "/ids", SESSION, List.of("digest:a:b"), Map.of("zookeeper.request.timeout", "5000"));
    private static final AllocatorSettings SETTINGS =
            new AllocatorSettings(SCHEMES, ZOOKEEPER, SESSION, Duration.ofSeconds(2), Duration.ofSeconds(3), REPLICA);

    private static AllocatorSettings expected(ZooKeeperSettings zookeeper) {
        return new AllocatorSettings(
                SCHEMES, zookeeper, SESSION, Duration.ofSeconds(2), Duration.ofSeconds(3), REPLICA);
    }

    @Test
    void shouldChangeOneSettingOfTheAllocator() {
        List<Scheme<?>> schemes = List.of(new EightByteScheme(4));
        Replica replica = new Replica("b", "host", 2, "");
        Duration skew = Duration.ofSeconds(2);
        Duration wait = Duration.ofSeconds(3);
        assertEquals(
                new AllocatorSettings(schemes, ZOOKEEPER, SESSION, skew, wait, REPLICA), SETTINGS.withSchemes(schemes));
        assertEquals(
                new AllocatorSettings(SCHEMES, ZOOKEEPER, SECOND, skew, wait, REPLICA), SETTINGS.withWindow(SECOND));
        assertEquals(
                new AllocatorSettings(SCHEMES, ZOOKEEPER, SESSION, SECOND, wait, REPLICA),
                SETTINGS.withMaxClockSkew(SECOND));
        assertEquals(
                new AllocatorSettings(SCHEMES, ZOOKEEPER, SESSION, skew, SECOND, REPLICA),
                SETTINGS.withMaxWait(SECOND));
        assertEquals(
                new AllocatorSettings(SCHEMES, ZOOKEEPER, SESSION, skew, wait, replica), SETTINGS.withReplica(replica));
    }

    @Test
    void shouldChangeOneSettingOfZooKeeper() {
        Duration longer = Duration.ofSeconds(20);
        assertEquals(
                expected(new ZooKeeperSettings("zk:2182", "/ids", SESSION, ZOOKEEPER.auth(), ZOOKEEPER.properties())),
                SETTINGS.withConnect("zk:2182"));
        assertEquals(
                expected(new ZooKeeperSettings("zk:2181", "/other", SESSION, ZOOKEEPER.auth(), ZOOKEEPER.properties())),
                SETTINGS.withZooKeeper(ZOOKEEPER.withRoot("/other")));
        assertEquals(
                expected(new ZooKeeperSettings("zk:2181", "/ids", longer, ZOOKEEPER.auth(), ZOOKEEPER.properties())),
                SETTINGS.withZooKeeper(ZOOKEEPER.withSessionTimeout(longer)));
        assertEquals(
                expected(new ZooKeeperSettings("zk:2181", "/ids", SESSION, List.of(), ZOOKEEPER.properties())),
                SETTINGS.withZooKeeper(ZOOKEEPER.withAuth(List.of())));
        assertEquals(
                expected(new ZooKeeperSettings("zk:2181", "/ids", SESSION, ZOOKEEPER.auth(), Map.of())),
                SETTINGS.withZooKeeper(ZOOKEEPER.withProperties(Map.of())));
    }

    @Test
    void shouldRefuseWhatTheOtherSettingsDoNotAllow() {
        assertThrows(IllegalArgumentException.class, () -> SETTINGS.withWindow(SESSION.plusMillis(1)));
        assertThrows(
                IllegalArgumentException.class, () -> SETTINGS.withZooKeeper(ZOOKEEPER.withSessionTimeout(SECOND)));
        assertThrows(IllegalArgumentException.class, () -> SETTINGS.withMaxClockSkew(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> SETTINGS.withMaxWait(Duration.ZERO));
    }

    @Test
    void shouldTellAllMistakesAtOnceWhenAProgramBuildsSettings() {
        InvalidSettingsException e = assertThrows(
                InvalidSettingsException.class,
                () -> new ZooKeeperSettings(
                        "http://zk1:2181",
                        "ids",
                        Duration.ofMillis(-1),
                        List.of("secret"),
                        Map.of("zookeeper.x", "y")));

        assertEquals(
                List.of(
                        "zookeeper.connect must be host:port,host:port and a chroot if there is one, as in"
                                + " zk1:2181,zk2:2181/ids: http://zk1:2181 (leave out http://)",
                        "zookeeper.root must be an absolute path such as /id-allocator: ids",
                        "zookeeper.sessionTimeout must be 1 s or more: -1 ms",
                        "zookeeper.auth[0] must be scheme:credentials, such as digest:user:password (the value is not"
                                + " shown)"),
                e.mistakes().subList(0, 4));
        assertEquals(5, e.mistakes().size());
        assertEquals(String.join("; ", e.mistakes()), e.getMessage());
        assertFalse(String.valueOf(e.getMessage()).contains("secret"));
    }

    /** What the client of this release says that it reads. */
    @Test
    void shouldKnowEveryPropertyThatTheClientNames() throws ReflectiveOperationException {
        for (Field field : ZKClientConfig.class.getFields()) {
            boolean name = field.getType() == String.class && !field.getName().endsWith("_DEFAULT");
            assertTrue(!name || ClientProperties.isKnown((String) field.get(null)), field.getName());
        }
        try (X509Util tls = new ClientX509Util()) {
            for (Method method : X509Util.class.getMethods()) {
                if (method.getName().matches("get.*Property")) {
                    assertTrue(ClientProperties.isKnown((String) method.invoke(tls)), method.getName());
                }
            }
        }
    }
}
