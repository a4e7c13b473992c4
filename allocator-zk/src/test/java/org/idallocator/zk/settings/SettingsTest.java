package org.idallocator.zk.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.idallocator.core.id.GidType;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void shouldChangeHowManySlotsAreHeld() {
        Map<String, LeaseBounds> leases = Map.of("eightbyte", new LeaseBounds(1, 8));
        AllocatorSettings more = SETTINGS.withLeases(leases);
        assertEquals(LeaseBounds.ONE, SETTINGS.leases(SCHEMES.get(0)));
        assertEquals(new LeaseBounds(1, 8), more.leases(SCHEMES.get(0)));
        assertEquals(
                leases,
                more.withWindow(SECOND)
                        .withMaxClockSkew(SECOND)
                        .withMaxWait(SECOND)
                        .withReplica(new Replica("b", "host", 2, ""))
                        .withConnect("zk:2182")
                        .leases());
        assertEquals(leases, more.withSchemes(SCHEMES).leases());
        assertEquals(Map.of(), more.withSchemes(List.of(new MuidScheme())).leases());
        assertEquals(SETTINGS, more.withLeases(Map.of()));
    }

    @Test
    void shouldTellAllThatIsWrongWithLeases() {
        assertEquals(
                List.of("min must be 1..64: 0", "max must be 1..64: 65"),
                assertThrows(InvalidSettingsException.class, () -> new LeaseBounds(0, 65))
                        .mistakes());
        assertEquals(
                List.of("max must be at least min, which is 2: 1"),
                assertThrows(InvalidSettingsException.class, () -> new LeaseBounds(2, 1))
                        .mistakes());
        List<Scheme<?>> schemes = List.of(new SnoScheme(7, 1, 4), new GidScheme(GidType.LOG));
        LeaseBounds five = new LeaseBounds(1, 5);
        assertEquals(
                List.of(
                        "leases names uid60, which is not served; served are [sno, gid]",
                        "sno.leases.max must be at most 4, the slots of the pool: 5",
                        "gid.leases must be left out: gid needs no slots"),
                assertThrows(
                                InvalidSettingsException.class,
                                () -> SETTINGS.withSchemes(schemes)
                                        .withLeases(Map.of("sno", five, "gid", five, "uid60", five)))
                        .mistakes());
    }

    @Test
    void shouldTellTheKeysOfLeases() {
        assertEquals(
                List.of(new Mistake("max", "max must be at least min, which is 2: 1", List.of("min"))),
                details(() -> new LeaseBounds(2, 1)));
        assertEquals(
                List.of("min", "max"),
                details(() -> new LeaseBounds(0, 65)).stream().map(Mistake::key).toList());
        List<Scheme<?>> schemes = List.of(new SnoScheme(7, 1, 4), new GidScheme(GidType.LOG));
        LeaseBounds five = new LeaseBounds(1, 5);
        assertEquals(
                List.of("leases", "sno.leases.max", "gid.leases"),
                details(() -> SETTINGS.withSchemes(schemes).withLeases(Map.of("sno", five, "gid", five, "uid60", five)))
                        .stream()
                        .map(Mistake::key)
                        .toList());
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

    private static List<Mistake> details(Executable maker) {
        return assertThrows(InvalidSettingsException.class, maker).details();
    }

    /** Whoever reads a file asks which key a mistake is about, and would not look for that in a sentence. */
    @Test
    void shouldTellTheKeyOfEachMistakeAndTheOneThatItIsComparedWith() {
        assertEquals(
                List.of(new Mistake(
                        "window",
                        "window must be at most the session timeout of 10000 ms: 10001 ms",
                        List.of("zookeeper.sessionTimeout"))),
                details(() -> SETTINGS.withWindow(SESSION.plusMillis(1))));
        assertEquals(
                List.of(new Mistake("maxWait", "maxWait must be positive: 0 ms", List.of())),
                details(() -> SETTINGS.withMaxWait(Duration.ZERO)));
        assertEquals(
                List.of("zookeeper.auth[0]", "zookeeper.properties.a; b"),
                details(() -> new ZooKeeperSettings("zk:1", "/ids", SESSION, List.of("secret"), Map.of("a; b", "c")))
                        .stream()
                        .map(Mistake::key)
                        .toList());
    }

    @Test
    void shouldKeepTheKeyThatAnExceptionNames() {
        Mistakes schemes = new Mistakes();
        schemes.attempt(() -> Schemes.configured(Map.of("sno", Map.of("shards", 3))));
        schemes.attempt("sno.maxCount", () -> Integer.parseInt("many"));
        Mistakes mistakes = new Mistakes();
        mistakes.addAll("schemes", schemes);
        mistakes.attempt(() -> SETTINGS.withWindow(SESSION.plusMillis(1)));

        assertEquals(
                List.of("schemes.sno.shards", "schemes.sno.maxCount", "window"),
                details(mistakes::throwIfAny).stream().map(Mistake::key).toList());
    }

    @Test
    void shouldStandInASectionWithTheKeysOfBoth() {
        Mistake mistake = new Mistake("window", "window must be less", List.of("zookeeper.sessionTimeout"));

        assertEquals(
                new Mistake(
                        "allocator.window",
                        "allocator.window must be less",
                        List.of("allocator.zookeeper.sessionTimeout")),
                mistake.in("allocator"));
        assertEquals(mistake, mistake.in(""));
        assertEquals(
                "schemes",
                new Mistake("", "nothing is served", List.of()).in("schemes").key());
    }

    /** ZooKeeper knows a scheme by its exact name. */
    @Test
    void shouldRefuseADigestInAnotherCase() {
        InvalidSettingsException e = assertThrows(
                InvalidSettingsException.class, () -> ZOOKEEPER.withAuth(List.of("digest:a:b", "Digest:user:secret")));

        assertEquals(
                List.of(
                        "zookeeper.auth[1] must begin with digest, not Digest: ZooKeeper knows schemes by their exact names"
                                + " (the rest is not shown)"),
                e.mistakes());
    }

    private static List<String> mistakes(Map<String, String> properties) {
        return assertThrows(InvalidSettingsException.class, () -> ZOOKEEPER.withProperties(properties))
                .mistakes();
    }

    /** Those that the client's own documentation names, of each of its classes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "zookeeper.sasl.client",
                "zookeeper.sasl.clientconfig",
                "zookeeper.server.principal",
                "zookeeper.clientCnxnSocket",
                "zookeeper.request.timeout",
                "zookeeper.kinit",
                "jute.maxbuffer",
                "zookeeper.fips-mode",
                "zookeeper.ssl.sslProvider",
                "zookeeper.ssl.authProvider",
                "zookeeper.ssl.protocol",
                "zookeeper.ssl.enabledProtocols",
                "zookeeper.ssl.ciphersuites",
                "zookeeper.ssl.context.supplier.class",
                "zookeeper.ssl.keyStore.location",
                "zookeeper.ssl.keyStore.password",
                "zookeeper.ssl.keyStore.passwordPath",
                "zookeeper.ssl.keyStore.type",
                "zookeeper.ssl.trustStore.passwordPath",
                "zookeeper.ssl.hostnameVerification",
                "zookeeper.ssl.crl",
                "zookeeper.ssl.ocsp",
                "zookeeper.ssl.clientAuth",
                "zookeeper.ssl.handshakeDetectionTimeoutMillis"
            })
    void shouldKnowWhatTheClientReads(String name) {
        assertEquals(
                Map.of(name, "true"),
                ZOOKEEPER.withProperties(Map.of(name, "true")).properties());
    }

    /** A default is no name of a property. */
    @ParameterizedTest
    @ValueSource(strings = {"zookeeper", "true", "Client", "TLSv1.2", "zookeeper.ssl.", "zookeeper.ssl.sslprovider"})
    void shouldRefuseWhatIsNoProperty(String name) {
        List<String> mistakes = mistakes(Map.of(name, "secret"));

        assertEquals(1, mistakes.size());
        assertTrue(
                mistakes.get(0).startsWith("zookeeper.properties has no key " + name + "; did you mean "),
                mistakes.get(0));
        assertFalse(mistakes.get(0).contains("secret"), mistakes.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ClientCnxnSocketNIO", "org.apache.zookeeper.ClientCnxnSocketNIO", "netty"})
    void shouldRefuseTlsOnASocketThatDoesNotSpeakTls(String socket) {
        Map<String, String> secure = new HashMap<>(Map.of("zookeeper.client.secure", "True"));
        if (!socket.isEmpty()) {
            secure.put("zookeeper.clientCnxnSocket", socket);
        }

        assertEquals(
                List.of("zookeeper.properties.zookeeper.clientCnxnSocket must be"
                        + " org.apache.zookeeper.ClientCnxnSocketNetty where zookeeper.client.secure is true, as no other"
                        + " speaks TLS: " + (socket.isEmpty() ? "left out" : socket)),
                mistakes(secure));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ClientCnxnSocketNetty", "org.apache.zookeeper.ClientCnxnSocketNetty"})
    void shouldTakeTlsOnTheSocketThatSpeaksTls(String socket) {
        Map<String, String> secure = Map.of("zookeeper.client.secure", "true", "zookeeper.clientCnxnSocket", socket);

        assertEquals(secure, ZOOKEEPER.withProperties(secure).properties());
        assertEquals(Map.of("zookeeper.client.secure", "false"), plain().properties());
    }

    @Test
    void shouldRefuseClientThatForgetsItsWatches() {
        assertEquals(
                List.of(
                        "zookeeper.properties.zookeeper.disableAutoWatchReset must be false or left out, as replicas need"
                                + " their watches after they connect again: True "),
                mistakes(Map.of("zookeeper.disableAutoWatchReset", "True ")));
        Map<String, String> usual = Map.of("zookeeper.disableAutoWatchReset", "false");
        assertEquals(usual, ZOOKEEPER.withProperties(usual).properties());
    }

    private static ZooKeeperSettings plain() {
        return ZOOKEEPER.withProperties(Map.of("zookeeper.client.secure", "false"));
    }

    /** Settings and their mistakes are logged, printed and pasted into tickets. */
    @Test
    void shouldTellNoPasswords() {
        String address = assertThrows(
                        InvalidSettingsException.class, () -> ZOOKEEPER.withConnect("http://me:hunter2@zk:1"))
                .getMessage();
        assertEquals(
                "zookeeper.connect must be host:port,host:port and a chroot if there is one, as in"
                        + " zk1:2181,zk2:2181/ids: http://***@zk:1 (leave out the user and password, which zookeeper.auth"
                        + " is for)",
                address);
        assertEquals(
                "url must be without a user and password, because everybody is told it: http://***@host:8080",
                assertThrows(InvalidSettingsException.class, () -> Replica.named("a", "http://me:hun/t@er2@host:8080"))
                        .getMessage());
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
