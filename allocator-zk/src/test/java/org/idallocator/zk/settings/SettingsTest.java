package org.idallocator.zk.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.junit.jupiter.api.Test;

/** Each setting can be changed by itself, and nothing else changes with it. */
final class SettingsTest {
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Scheme<?>> SCHEMES = List.of(new EightByteScheme(3));
    private static final Replica REPLICA = new Replica("a", "host", 1, "");
    private static final ZooKeeperSettings ZOOKEEPER =
            new ZooKeeperSettings("zk:2181", "/ids", SESSION, List.of("digest:a:b"), Map.of("key", "value"));
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
}
