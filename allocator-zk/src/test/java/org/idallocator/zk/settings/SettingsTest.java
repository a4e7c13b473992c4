package org.idallocator.zk.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.id.GidType;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each setting can be changed by itself, and nothing else changes with it. */
final class SettingsTest {
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Scheme<?>> SCHEMES = List.of(new EightByteScheme(3));
    private static final Replica REPLICA = new Replica("a", "host", 1, "");
    private static final ZooKeeperSettings ZOOKEEPER = new ZooKeeperSettings(
            "zk:2181", "/ids", SESSION, List.of("digest:a:b"), Map.of("zookeeper.request.timeout", "5000"));
    private static final String NO_ADDRESS =
            "zookeeper.connect must be host:port,host:port and a chroot if there is one, as in zk1:2181,zk2:2181/ids: ";
    private static final AllocatorSettings SETTINGS = new AllocatorSettings(
            SCHEMES, ZOOKEEPER, SESSION, Duration.ofSeconds(2), Duration.ofSeconds(3), REPLICA, Map.of(), Map.of());

    /** Whatever the others are, and in whatever order: each method changes its own setting, and keeps the rest. */
    @Test
    void shouldChangeOneSettingAtATime() {
        ZooKeeperSettings zookeeper =
                new ZooKeeperSettings("zk:2182", "/other", Duration.ofSeconds(20), List.of(), Map.of());
        ZooKeeperSettings upwards = zookeeper
                .withConnect(ZOOKEEPER.connect())
                .withRoot(ZOOKEEPER.root())
                .withSessionTimeout(SESSION)
                .withAuth(ZOOKEEPER.auth())
                .withProperties(ZOOKEEPER.properties());
        ZooKeeperSettings downwards = zookeeper
                .withProperties(ZOOKEEPER.properties())
                .withAuth(ZOOKEEPER.auth())
                .withSessionTimeout(SESSION)
                .withRoot(ZOOKEEPER.root())
                .withConnect(ZOOKEEPER.connect());
        assertEquals(List.of(ZOOKEEPER, ZOOKEEPER), List.of(upwards, downwards));

        AllocatorSettings settings = new AllocatorSettings(
                List.of(new MuidScheme()),
                zookeeper,
                SECOND,
                SECOND,
                SECOND,
                new Replica("b", "host", 2, ""),
                Map.of(),
                Map.of());
        AllocatorSettings first = settings.withSchemes(SCHEMES)
                .withZooKeeper(ZOOKEEPER)
                .withWindow(SESSION)
                .withMaxClockSkew(SETTINGS.maxClockSkew())
                .withMaxWait(SETTINGS.maxWait())
                .withReplica(REPLICA);
        AllocatorSettings last = settings.withReplica(REPLICA)
                .withMaxWait(SETTINGS.maxWait())
                .withMaxClockSkew(SETTINGS.maxClockSkew())
                .withWindow(SESSION)
                .withZooKeeper(ZOOKEEPER)
                .withSchemes(SCHEMES);
        assertEquals(List.of(SETTINGS, SETTINGS), List.of(first, last));
    }

    @Test
    void shouldChangeHowManySlotsAreHeld() {
        Map<String, Integer> leases = Map.of("eightbyte", 8);
        AllocatorSettings more = SETTINGS.withLeases(leases);
        assertEquals(1, SETTINGS.leases(SCHEMES.get(0)));
        assertEquals(8, more.leases(SCHEMES.get(0)));
        assertEquals(
                leases,
                more.withWindow(SECOND)
                        .withMaxClockSkew(SECOND)
                        .withMaxWait(SECOND)
                        .withReplica(new Replica("b", "host", 2, ""))
                        .withZooKeeper(ZOOKEEPER.withConnect("zk:2182"))
                        .leases());
        assertEquals(leases, more.withSchemes(SCHEMES).leases());
        assertEquals(Map.of(), more.withSchemes(List.of(new MuidScheme())).leases());
        assertEquals(SETTINGS, more.withLeases(Map.of()));
    }

    /** Whatever the session timeout is. Of a root, the longest window counts. */
    @Test
    void shouldHaveAWindowOfItsOwnForEachScheme() {
        Scheme<?> muid = new MuidScheme();
        AllocatorSettings settings = SETTINGS.withSchemes(List.of(new EightByteScheme(3), muid))
                .withWindows(Map.of("muid", Duration.ofHours(24)));
        assertEquals(
                SESSION, settings.terms(SCHEMES.get(0).pool().orElseThrow()).window());
        assertEquals(
                Duration.ofHours(24), settings.terms(muid.pool().orElseThrow()).window());
        assertEquals(Duration.ofHours(24), settings.terms().window());
        assertEquals(Duration.ofHours(24), settings.withSchemes(SCHEMES).terms().window(), "others serve it");
        AllocatorSettings hours = settings.withWindow(Duration.ofHours(2)).withWindows(Map.of("muid", SECOND));
        assertEquals(
                Duration.ofHours(2), hours.withSchemes(List.of(muid)).terms().window(), "that of eightbyte");
    }

    /** Its window, twice the skew, and slack for the longest tick and for the ensemble's clocks. */
    @Test
    void shouldKnowHowFarAheadAnIdCanBeThatAnotherReplicaDrew() {
        Scheme<?> muid = new MuidScheme();
        AllocatorSettings settings = SETTINGS.withSchemes(List.of(muid, new GidScheme(GidType.LOG)))
                .withWindow(Duration.ofSeconds(10))
                .withMaxClockSkew(Duration.ofSeconds(2))
                .withWindows(Map.of("muid", Duration.ofHours(24)));

        assertEquals(
                Duration.ofSeconds(16), settings.farthestSeen(settings.schemes().get(1)));
        assertEquals(Duration.ofHours(24).plusSeconds(6), settings.farthestSeen(muid));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            uid60     | 1  | leases must be of schemes that are served: uid60
            sno       | 5  | sno.leases must be 1..4: 5
            sno       | 0  | sno.leases must be 1..4: 0
            eightbyte | 65 | eightbyte.leases must be 1..64: 65
            gid       | 1  | gid.leases must be left out: gid needs no slots
            """)
    void shouldTellWhatIsWrongWithLeases(String scheme, int leases, String why) {
        AllocatorSettings settings = SETTINGS.withSchemes(
                List.of(new EightByteScheme(3), new SnoScheme(7, 1, 4), new GidScheme(GidType.LOG)));
        assertEquals(why, refused(() -> settings.withLeases(Map.of(scheme, leases))));
    }

    private static String refused(Executable maker) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, maker).getMessage());
    }

    /** Each of them by itself is refused, with the key and what is allowed. */
    @ParameterizedTest
    @MethodSource("refusals")
    void shouldNameTheKeyAndWhatIsAllowed(String why, Executable maker) {
        assertEquals(why, refused(maker));
    }

    static Stream<Arguments> refusals() {
        String aTime = " must be positive: 0 ms";
        String property = "zookeeper.properties.zookeeper.";
        return Stream.of(
                refusal("window must be at least 1000 ms: 999 ms", () -> SETTINGS.withWindow(Duration.ofMillis(999))),
                refusal(
                        "window must be at most 86400000 ms: 86400001 ms",
                        () -> SETTINGS.withWindow(Duration.ofHours(24).plusMillis(1))),
                refusal(
                        "eightbyte.window must be at least 1000 ms: 1 ms",
                        () -> SETTINGS.withWindows(Map.of("eightbyte", Duration.ofMillis(1)))),
                refusal(
                        "unknown scheme ulid; known are sno, muid, eightbyte, uid60, gid",
                        () -> SETTINGS.withWindows(Map.of("ulid", SECOND))),
                refusal(
                        "gid.window must be left out: gid needs no slots",
                        () -> SETTINGS.withSchemes(List.of(new GidScheme(GidType.LOG)))
                                .withWindows(Map.of("gid", SECOND))),
                refusal("maxClockSkew" + aTime, () -> SETTINGS.withMaxClockSkew(Duration.ZERO)),
                refusal("maxWait" + aTime, () -> SETTINGS.withMaxWait(Duration.ZERO)),
                refusal("maxWait must be 1 ms or more: 1 ns", () -> SETTINGS.withMaxWait(Duration.ofNanos(1))),
                refusal(
                        "maxWait must be at most 3600000 ms: 9223372036854775807 ms",
                        () -> SETTINGS.withMaxWait(Duration.ofMillis(Long.MAX_VALUE))),
                refusal(
                        "zookeeper.root must be an absolute path such as /id-allocator: ids",
                        () -> ZOOKEEPER.withRoot("ids")),
                refusal(
                        "zookeeper.sessionTimeout must be 1 s or more: -1 ms",
                        () -> ZOOKEEPER.withSessionTimeout(Duration.ofMillis(-1))),
                refusal(
                        "zookeeper.sessionTimeout must be at most 60000 ms: 60001 ms; the slots of a replica that crashed"
                                + " are held as long",
                        () -> ZOOKEEPER.withSessionTimeout(Duration.ofMillis(60_001))),
                refusal(
                        property + "client.secure must be true or false: on",
                        () -> ZOOKEEPER.withProperties(Map.of("zookeeper.client.secure", "on"))),
                refusal(NO_ADDRESS + "http://***@zk:1", () -> ZOOKEEPER.withConnect("http://me:hunter2@zk:1")),
                refusal(
                        "url must be where this replica answers HTTP, such as http://host:8080, without a user and"
                                + " password: http://***@host:8080",
                        () -> Replica.named("a", "http://me:hun/t@er2@host:8080")));
    }

    private static Arguments refusal(String why, Executable maker) {
        return Arguments.of(why, maker);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/ids/", "/a//b", "/ids/..", "/./ids", "/zookeeper", "/zookeeper/ids", "/a b"})
    void shouldRefuseWhatIsNoRoot(String root) {
        assertTrue(refused(() -> ZOOKEEPER.withRoot(root)).endsWith(": " + root));
    }

    /** ZooKeeper knows a scheme by its exact name. A text without one may be a password. */
    @ParameterizedTest
    @ValueSource(
            strings = {"secret", ":secret", "digest:", "digest:secret", "digest::secret", "digest:u:", "Digest:u:secret"
            })
    void shouldRefuseWhatAreNoCredentialsWithoutRepeatingThem(String text) {
        assertEquals(
                "zookeeper.auth[1] must be scheme:credentials, such as digest:user:password (the value is not shown)",
                refused(() -> ZOOKEEPER.withAuth(List.of("digest:a:b", text))));
    }

    /** ZooKeeper's client would take these, only to look for hosts that do not exist. */
    @ParameterizedTest
    @MethodSource("noAddresses")
    void shouldRefuseWhatIsNoAddress(String connect) {
        assertEquals(NO_ADDRESS + connect, refused(() -> ZOOKEEPER.withConnect(connect)));
    }

    static Stream<String> noAddresses() {
        return Pattern.compile("\\|")
                .splitAsStream("|http://zk1:2181|a:1;b:2|zk:70000|zk:0|zk:|zk:port|a:1, b:2|a:1,,b:2|:2181"
                        + "|,|/ids|zk:2181/|zk:2181//|zk:2181/ids/|zk:2181/a//b|zk:2181/a/../b|zk1:2181/ids,zk2:2181"
                        + "|zk:2181/zookeeper|zk:2181/zookeeper/ids|::1|fe80::1:2181|[zk]:2181|[::1:2181|[::1]:0");
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void shouldTakeAnAddress(String connect) {
        assertEquals(connect, ZOOKEEPER.withConnect(connect).connect());
    }

    static Stream<String> addresses() {
        return Pattern.compile(" ")
                .splitAsStream(
                        "zk zk:2181 zk1:2181,zk2:2181,zk3:2181 zk1,zk2:2182/ids/of/mine [::1]:2181"
                                + " [fe80::1],zk:1 10.0.0.1:2181 zk_1:2181 zk-0.zk.default.svc.cluster.local.:2181 zk:65535 zk/zookeepers");
    }

    /** Settings are logged, printed and pasted into tickets, as their mistakes are. */
    @Test
    void shouldTellNoPasswords() {
        String settings = SETTINGS.withZooKeeper(ZOOKEEPER
                        .withAuth(List.of("digest:me:hunter2"))
                        .withProperties(Map.of("zookeeper.ssl.keyStore.password", "hunter2")))
                .toString();
        assertFalse(settings.contains("hunter2"), settings);
        assertTrue(settings.contains("zookeeper.ssl.keyStore.password"), settings);
    }

    @Test
    void shouldShowAValueInOneLine() {
        assertEquals("a?b", Shown.of("a\nb"));
        assertEquals("***@zk:1", Shown.of("a:1,me:pw@zk:1"));
        assertEquals("http://***@zk", Shown.of("http://me:p@ss@zk"));
        assertEquals("x".repeat(120) + "...", Shown.of("x".repeat(121)));
    }
}
