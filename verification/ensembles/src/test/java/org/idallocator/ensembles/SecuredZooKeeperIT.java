package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.check;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A ZooKeeper that speaks TLS, asks for the client's certificate, and knows a SASL user. What keeps a replica out is
 * named, each in one sentence, with the JDK's own words.
 *
 * <p>A command gives ZooKeeper two seconds for an answer. Logins and TLS take most of a processor, so these tests run
 * one after the other, beside those of other classes.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("processors, for logins and TLS")
@ProofOnly("secured ZooKeepers, one after the other")
final class SecuredZooKeeperIT {
    private static final Scheme<?> MUID = new MuidScheme();
    private static final String PASSWORD = "not-so-secret-" + "keys";
    private static final String TLS_REFUSED =
            "no TLS connection to ZooKeeper can be made; correct what is named here, and connecting goes on by itself (";
    private static final String ACCESS_REFUSED =
            "ZooKeeper refuses access below the root; correct its ACL or the credentials (";
    private static final List<String> PASSWORDS = List.of("digest:replica:tell-nobody");

    /** As long as ZooKeeper's client gives a server to take the connection, with all that TLS needs. */
    private static final Duration SESSION = Duration.ofSeconds(30);

    @TempDir
    private static Path directory;

    private static ZooKeeperProcesses zookeeper;

    @BeforeAll
    static void start() throws Exception {
        for (String name : List.of("server", "client", "unknown")) {
            make(name);
        }
        trust("servers", "server");
        trust("clients", "client");
        Path jaas = Files.writeString(directory.resolve("jaas"), """
                Server { org.apache.zookeeper.server.auth.DigestLoginModule required user_replica="right" user_other="theirs"; };
                """);
        Path password = Files.writeString(directory.resolve("password"), PASSWORD);
        Configuration.setConfiguration(new Users());
        zookeeper = ZooKeeperProcesses.of(
                1,
                QuorumPeerMain.class,
                List.of(
                        "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                        "-Dzookeeper.client.portUnification=true",
                        "-Dzookeeper.ssl.keyStore.location=" + keys("server"),
                        "-Dzookeeper.ssl.keyStore.passwordPath=" + password,
                        "-Dzookeeper.ssl.trustStore.location=" + keys("clients"),
                        "-Dzookeeper.ssl.trustStore.passwordPath=" + password,
                        "-Dzookeeper.ssl.hostnameVerification=false",
                        "-Dzookeeper.authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider",
                        "-Dzookeeper.fips-mode=false",
                        "-Dzookeeper.authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                        "-Djava.security.auth.login.config=" + jaas));
    }

    @AfterAll
    static void stop() {
        Configuration.setConfiguration(null);
        zookeeper.close();
    }

    private static Path keys(String name) {
        return directory.resolve(name + ".p12");
    }

    /** A key and its certificate, signed by itself, by the JDK's keytool. */
    private static void make(String name) throws Exception {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String options = " -genkeypair -keyalg EC -ext SAN=ip:127.0.0.1,dns:localhost -storetype PKCS12";
        List<String> own =
                List.of("-alias", name, "-dname", "CN=" + name, "-storepass", PASSWORD, "-keystore", "" + keys(name));
        List<String> command = Stream.concat(Stream.of((keytool + options).split(" ")), own.stream())
                .toList();
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    /** A store that trusts one certificate. */
    private static void trust(String name, String trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        KeyStore known = KeyStore.getInstance(keys(trusted).toFile(), PASSWORD.toCharArray());
        store.setCertificateEntry(trusted, known.getCertificate(trusted));
        try (OutputStream out = Files.newOutputStream(keys(name))) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    /** The replicas' user, and somebody who does not know the password. No other client of this JVM logs in. */
    private static final class Users extends Configuration {
        private static final Map<String, List<String>> LOGINS = Map.of(
                "Replica", List.of("replica", "right"),
                "Other", List.of("other", "theirs"),
                "Imposter", List.of("replica", "wrong"));

        @Override
        public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String section) {
            List<String> login = LOGINS.get(section);
            return login == null
                    ? null
                    : new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                DigestLoginModule.class.getName(),
                                AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
                                Map.of("username", login.get(0), "password", login.get(1)))
                    };
        }
    }

    /** In its FIPS mode, which is on by default, ZooKeeper's client knows no DIGEST-MD5. */
    private static Map<String, String> sasl(String section) {
        return Map.of("zookeeper.sasl.clientconfig", section, "zookeeper.fips-mode", "false");
    }

    private static Map<String, String> tls(String keys, String trust) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "zookeeper.client.secure",
                "true",
                "zookeeper.ssl.trustStore.location",
                keys(trust).toString(),
                "zookeeper.ssl.trustStore.password",
                PASSWORD));
        if (!keys.isEmpty()) {
            properties.put("zookeeper.ssl.keyStore.location", keys(keys).toString());
            properties.put("zookeeper.ssl.keyStore.password", PASSWORD);
        }
        return properties;
    }

    private static AllocatorSettings settings(String chroot, String root, Map<String, String> properties) {
        ZooKeeperSettings reached = ZooKeeperSettings.of(zookeeper.connectString() + chroot);
        return AllocatorSettings.of(
                List.of(MUID),
                reached.withRoot(root).withSessionTimeout(SESSION).withProperties(properties));
    }

    private static void assertServes(AllocatorSettings settings) throws Exception {
        try (Admin admin = Admin.of(settings.zookeeper())) {
            OnStore.withoutWaiting(admin.access(settings));
        }
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            replica.awaitReady(HangGuard.TIME);
        }
    }

    /** Why a replica does not serve, once that is known. */
    private static void assertRefused(AllocatorSettings settings, FenceReason reason, String begin) {
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            FencedException refused = await().until(
                            () -> replica.status(MUID).fenced().filter(why -> why.reason() == reason),
                            Optional::isPresent)
                    .orElseThrow();
            String why = String.valueOf(refused.getMessage());
            assertTrue(why.startsWith(begin), why);
            assertFalse(why.contains("secret"), why);
        }
    }

    @Test
    void shouldServeByMutualTlsBelowAChroot() throws Exception {
        try (Admin admin = Admin.of(zookeeper.connectString())) {
            admin.create("/down/here", "");
            AllocatorSettings settings = settings("/down/here", "/ids", tls("client", "servers"));
            assertServes(settings);
            assertTrue(admin.exists("/down/here/ids/meta"));
            assertEquals(
                    List.of(),
                    Doctor.examine(settings).stream().filter(Check::failed).toList());
        }
    }

    static Stream<Arguments> withoutTls() {
        String path =
                "sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path";
        String alert = "javax.net.ssl.SSLHandshakeException: Received fatal alert: ";
        return Stream.of(
                Arguments.of("a server that nobody trusts", tls("client", "clients"), path),
                Arguments.of("a certificate that the server refuses", tls("unknown", "servers"), alert),
                Arguments.of("no certificate", tls("", "servers"), alert));
    }

    /** A replica, a command and the doctor say the same. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("withoutTls")
    void shouldNameWhatFailsAtTls(String what, Map<String, String> properties, String words) {
        AllocatorSettings settings = settings("", "/ids", properties);
        String begin = zookeeper.connectString() + " fails at TLS: " + words;
        assertRefused(settings, FenceReason.TLS_REFUSED, TLS_REFUSED + begin);
        String command = String.valueOf(assertThrows(
                        UnreachableException.class,
                        () -> ClusterView.connect(settings).close())
                .getMessage());
        assertTrue(command.startsWith(begin), command);
        Check servers = check(Doctor.examine(settings), "servers");
        assertTrue(servers.seen().contains(words), servers::toString);
    }

    @Test
    void shouldNameKeyStoreThatCannotBeUsed() {
        Map<String, String> properties = tls("client", "servers");
        properties.put("zookeeper.ssl.keyStore.password", "a-wrong-secret");
        assertRefused(
                settings("", "/ids", properties),
                FenceReason.TLS_REFUSED,
                TLS_REFUSED + "the key store or trust store that zookeeper.properties names");
    }

    static Stream<Arguments> identities() throws Exception {
        String digest = "31 digest " + DigestAuthenticationProvider.generateDigest("replica:tell-nobody");
        return Stream.of(
                Arguments.of("/user", sasl("Replica"), List.of(), List.of("31 sasl replica")),
                Arguments.of("/both", sasl("Replica"), PASSWORDS, List.of(digest, "31 sasl replica")),
                Arguments.of("/certified", tls("client", "servers"), PASSWORDS, List.of(digest, "31 x509 CN=client")));
    }

    /** ZooKeeper takes all of them for who the client is, and so what it makes is nobody else's. */
    @ParameterizedTest
    @MethodSource("identities")
    void shouldMakeEverythingForItselfAlone(
            String root, Map<String, String> properties, List<String> auth, List<String> owners) throws Exception {
        AllocatorSettings base = settings("", root, properties);
        AllocatorSettings settings = base.withZooKeeper(base.zookeeper().withAuth(auth));
        assertServes(settings);
        assertEquals(
                Check.Result.OK, check(Doctor.examine(settings), "strangers").result());
        try (Admin admin = Admin.of(settings.zookeeper())) {
            assertEquals(
                    owners,
                    admin.curator().getACL().forPath(root).stream()
                            .map(acl -> acl.getPerms() + " " + acl.getId().getScheme() + " "
                                    + acl.getId().getId())
                            .sorted()
                            .toList());
        }
        for (Map<String, String> others : List.of(Map.<String, String>of(), sasl("Other"))) {
            assertRefused(
                    settings("", root, others), FenceReason.NO_PERMISSION, ACCESS_REFUSED + root + "/meta: NOAUTH)");
        }
    }

    @Test
    void shouldNameSaslLoginThatIsRefused() {
        assertRefused(
                settings("", "/sasl", sasl("Imposter")),
                FenceReason.NO_PERMISSION,
                ACCESS_REFUSED + zookeeper.connectString()
                        + " refuses the SASL login of section Imposter of the JAAS configuration)");
    }
}
