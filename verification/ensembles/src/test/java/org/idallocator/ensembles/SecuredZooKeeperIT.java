package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.check;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FirstStart;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A ZooKeeper that speaks TLS, asks for the client's certificate, and knows a SASL user. What keeps a replica out is named, each
 * in one sentence.
 *
 * <p>A command gives ZooKeeper two seconds for an answer. Logins and TLS take most of a processor, so these tests run one after the
 * other, beside those of other classes.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("processors, for logins and TLS")
@ProofOnly("secured ZooKeepers, one after the other")
final class SecuredZooKeeperIT {
    private static final Scheme<?> MUID = new MuidScheme();
    private static final String JAAS = "java.security.auth.login.config";
    private static final String TLS_REFUSED =
            "no TLS connection to ZooKeeper can be made; correct what is named here, and connecting goes on by itself (";

    private static final String FAILS = " fails at TLS: ";

    /** As long as ZooKeeper's client gives a server to take the connection, with all that TLS needs. */
    private static final Duration SESSION = Duration.ofSeconds(30);

    @TempDir
    private static Path directory;

    private static Certificates certificates;
    private static ZooKeeperProcesses zookeeper;
    private static final List<SSLServerSocket> LISTENERS = new ArrayList<>();
    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    @BeforeAll
    static void start() throws Exception {
        certificates = new Certificates(directory);
        certificates.make("server", "ip:127.0.0.1,dns:localhost");
        certificates.make("client", "dns:replica");
        certificates.make("unknown", "dns:replica");
        certificates.make("authority", "dns:authority", "-ext", "bc:c");
        certificates.make("expired", "ip:127.0.0.1,dns:localhost");
        certificates.make("elsewhere", "dns:elsewhere.example");
        certificates.sign("expired", "authority", "-startdate", "-10d", "-validity", "5");
        certificates.trust("servers", "server", "authority", "elsewhere");
        certificates.trust("clients", "client");
        certificates.trust("nobody", "client");
        certificates.load("unknown");
        Path jaas = directory.resolve("jaas");
        Files.writeString(jaas, """
                Server { org.apache.zookeeper.server.auth.DigestLoginModule required user_replica="right" user_other="theirs"; };
                """);
        Configuration.setConfiguration(new Users());
        Path password = directory.resolve("password");
        Files.writeString(password, Certificates.PASSWORD);
        zookeeper = ZooKeeperProcesses.of(
                1,
                QuorumPeerMain.class,
                List.of(
                        "-Dzookeeper.serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                        "-Dzookeeper.client.portUnification=true",
                        "-Dzookeeper.ssl.keyStore.location=" + certificates.keys("server"),
                        "-Dzookeeper.ssl.keyStore.passwordPath=" + password,
                        "-Dzookeeper.ssl.trustStore.location=" + certificates.keys("clients"),
                        "-Dzookeeper.ssl.trustStore.passwordPath=" + password,
                        "-Dzookeeper.ssl.hostnameVerification=false",
                        "-Dzookeeper.authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider",
                        "-Dzookeeper.fips-mode=false",
                        "-Dzookeeper.authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                        "-D" + JAAS + "=" + jaas));
    }

    @AfterAll
    static void stop() throws Exception {
        Configuration.setConfiguration(null);
        THREADS.shutdownNow();
        for (SSLServerSocket listener : LISTENERS) {
            listener.close();
        }
        zookeeper.close();
    }

    /** The replicas' user, and somebody who does not know the password. No other client of this JVM logs in. */
    private static final class Users extends Configuration {
        private static final Map<String, List<String>> LOGINS = Map.of(
                "Replica", List.of("replica", "right"),
                "Other", List.of("other", "theirs"),
                "Unknown", List.of("unknown", "right"),
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
                certificates.keys(trust).toString(),
                "zookeeper.ssl.trustStore.password",
                Certificates.PASSWORD));
        if (!keys.isEmpty()) {
            properties.put(
                    "zookeeper.ssl.keyStore.location", certificates.keys(keys).toString());
            properties.put("zookeeper.ssl.keyStore.password", Certificates.PASSWORD);
        }
        return properties;
    }

    private static AllocatorSettings settings(String connect, String root, Map<String, String> properties) {
        return AllocatorSettings.of(
                List.of(MUID),
                ZooKeeperSettings.of(connect)
                        .withRoot(root)
                        .withSessionTimeout(SESSION)
                        .withProperties(properties));
    }

    /** Who speaks TLS, with this certificate, and says no more. */
    private static String listen(String certificate) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(certificates.load(certificate), Certificates.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        SSLServerSocket listener = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LISTENERS.add(listener);
        THREADS.execute(() -> {
            while (!listener.isClosed()) {
                try {
                    SSLSocket socket = (SSLSocket) listener.accept();
                    THREADS.execute(() -> shakeHands(socket));
                } catch (IOException e) {
                    return; // closed
                }
            }
        });
        return "127.0.0.1:" + listener.getLocalPort();
    }

    private static void shakeHands(SSLSocket socket) {
        try (socket) {
            socket.startHandshake();
            var unused = socket.getInputStream().read();
        } catch (IOException e) {
            // the client has left
        }
    }

    private static void assertServes(AllocatorSettings settings) throws Exception {
        try (Admin admin = Admin.of(settings.zookeeper())) {
            OnStore.withoutWaiting(admin.access(settings));
        }
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            replica.awaitReady(HangGuard.TIME);
        }
    }

    private static FencedException refusal(AllocatorSettings settings) {
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            return await().until(
                            () -> replica.status(MUID).fenced().filter(SecuredZooKeeperIT::meant), Optional::isPresent)
                    .orElseThrow();
        }
    }

    private static boolean meant(FencedException why) {
        return why.reason() != FenceReason.STARTING && why.reason() != FenceReason.UNREACHABLE;
    }

    private static void assertTlsRefused(AllocatorSettings settings, String begin) {
        FencedException refused = refusal(settings);
        String why = String.valueOf(refused.getMessage());
        assertEquals(FenceReason.TLS_REFUSED, refused.reason(), why);
        assertTrue(why.startsWith(TLS_REFUSED + begin), why);
        String command = String.valueOf(assertThrows(
                        UnreachableException.class,
                        () -> ClusterView.connect(settings).close())
                .getMessage());
        assertTrue(why.equals(TLS_REFUSED + command + ")") || slow(command), command);
    }

    /** A command asks once what is wrong, and waits 2 or 3 s for an answer: that it comes in time counts in the proof alone. */
    private static boolean slow(String told) {
        return !Proof.runs()
                && (told.startsWith("no answer from ")
                        || told.contains(" gives no session")
                        || told.contains("ZooKeeper did not answer"));
    }

    /** What the doctor finds. It gives a connection 10 s, and each server 3 s, which counts in the proof alone. */
    private static List<Check> examined(AllocatorSettings settings) {
        if (Proof.runs()) {
            return Doctor.examine(settings);
        }
        try (Admin admin = Admin.of(settings.zookeeper())) {
            return OnStore.examine(admin.access(settings));
        }
    }

    @Test
    void shouldServeByMutualTlsBelowAChroot() throws Exception {
        try (Admin admin = Admin.of(zookeeper.connectString())) {
            admin.create("/down/here", "");
        }
        AllocatorSettings settings =
                settings(zookeeper.connectString() + "/down/here", "/ids", tls("client", "servers"));
        assertServes(settings);
        try (Admin admin = Admin.of(zookeeper.connectString())) {
            assertTrue(admin.exists("/down/here/ids/meta"));
        }
        assertEquals(
                List.of(), examined(settings).stream().filter(Check::failed).toList());
    }

    @Test
    void shouldNameCertificateThatHasExpired() throws Exception {
        String address = listen("expired");
        assertTlsRefused(
                settings(address, "/ids", tls("", "servers")),
                address + FAILS + "java.security.cert.CertificateExpiredException: NotAfter: ");
    }

    @Test
    void shouldNameHostThatTheCertificateIsNotFor() throws Exception {
        String address = listen("elsewhere");
        assertTlsRefused(
                settings(address, "/ids", tls("", "servers")),
                address + FAILS + "java.security.cert.CertificateException: No ");
        Check servers = check(Doctor.examine(settings(address, "/ids", tls("", "servers"))), "servers");
        assertTrue(servers.seen().contains("CertificateException: No ") || slow(servers.seen()), servers::toString);
    }

    @Test
    void shouldNameServerThatNobodyTrusts() {
        assertTlsRefused(
                settings(zookeeper.connectString(), "/ids", tls("client", "nobody")),
                zookeeper.connectString() + FAILS
                        + "sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path");
    }

    @Test
    void shouldNameCertificateThatTheServerRefuses() {
        for (String keys : List.of("unknown", "")) {
            assertTlsRefused(
                    settings(zookeeper.connectString(), "/ids", tls(keys, "servers")),
                    zookeeper.connectString() + FAILS + "javax.net.ssl.SSLHandshakeException: Received fatal alert: ");
        }
    }

    @Test
    void shouldNameKeyStoreThatCannotBeUsed() {
        Map<String, String> properties = tls("client", "servers");
        properties.put("zookeeper.ssl.keyStore.password", "a-wrong-secret");
        FencedException refused = refusal(settings(zookeeper.connectString(), "/ids", properties));
        String why = String.valueOf(refused.getMessage());
        assertTrue(why.startsWith(TLS_REFUSED + "the key store or trust store that zookeeper.properties names"), why);
        assertTrue(!why.contains("a-wrong-secret"), why);
    }

    @Test
    void shouldMakeEverythingForTheSaslUserAlone() throws Exception {
        AllocatorSettings settings = settings(zookeeper.connectString(), "/sasl", sasl("Replica"));
        assertServes(settings);
        try (Admin admin = Admin.of(settings.zookeeper())) {
            assertEquals(
                    List.of(new ACL(ZooDefs.Perms.ALL, new Id("sasl", "replica"))),
                    admin.curator().getACL().forPath("/sasl"));
        }
    }

    /** What one user has made, nobody else may write: neither another user of the same server, nor who shows nothing. */
    @Test
    void shouldRefuseAllButTheSaslUser() throws Exception {
        AllocatorSettings settings = settings(zookeeper.connectString(), "/visited", sasl("Replica"));
        assertServes(settings);
        assertEquals(Check.Result.OK, check(examined(settings), "strangers").result());
        for (Map<String, String> others : List.of(Map.<String, String>of(), sasl("Other"))) {
            FencedException refused = refusal(settings(zookeeper.connectString(), "/visited", others));
            assertEquals(FenceReason.NO_PERMISSION, refused.reason(), String.valueOf(refused.getMessage()));
            assertEquals(
                    "ZooKeeper refuses access below the root; correct its ACL or the credentials (/visited/meta: NOAUTH)",
                    refused.getMessage());
        }
    }

    @Test
    void shouldTakeASaslUserAndAPasswordForItsOwn() throws Exception {
        AllocatorSettings base = settings(zookeeper.connectString(), "/twice", sasl("Replica"));
        AllocatorSettings settings =
                base.withZooKeeper(base.zookeeper().withAuth(List.of("digest:replica:tell-nobody")));
        assertServes(settings);
        FencedException refused =
                refusal(settings.withZooKeeper(settings.zookeeper().withProperties(sasl("Imposter"))));
        assertEquals(
                zookeeper.connectString() + " refuses the SASL login of section Imposter of the JAAS configuration",
                inParentheses(refused));
    }

    private static String inParentheses(FencedException refused) {
        String why = String.valueOf(refused.getMessage());
        return why.substring(why.indexOf('(') + 1, why.length() - 1);
    }

    /** ZooKeeper takes both for who the client is, and so what it makes is nobody else's. */
    @Test
    void shouldTakeItsCertificateAndItsUserForItsOwn() throws Exception {
        AllocatorSettings base = settings(zookeeper.connectString(), "/both", tls("client", "servers"));
        AllocatorSettings settings =
                base.withZooKeeper(base.zookeeper().withAuth(List.of("digest:replica:tell-nobody")));
        assertServes(settings);
        try (Admin admin = Admin.of(settings.zookeeper())) {
            assertEquals(
                    List.of("digest", "x509"),
                    admin.curator().getACL().forPath("/both").stream()
                            .map(entry -> entry.getId().getScheme())
                            .sorted()
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Imposter", "Unknown"})
    void shouldNameSaslLoginThatIsRefused(String section) {
        AllocatorSettings settings = settings(zookeeper.connectString(), "/sasl", sasl(section));
        String why = zookeeper.connectString() + " refuses the SASL login of section " + section
                + " of the JAAS configuration";
        FencedException refused = refusal(settings);
        assertEquals(FenceReason.NO_PERMISSION, refused.reason(), String.valueOf(refused.getMessage()));
        assertEquals(
                "ZooKeeper refuses access below the root; correct its ACL or the credentials (" + why + ")",
                refused.getMessage());
        Check first = check(Doctor.examine(settings), "ZooKeeper");
        assertTrue(
                slow(first.seen())
                        || ("no-permission " + refused.getMessage()).equals(first.reason() + " " + first.seen()),
                first::toString);
        String command =
                String.valueOf(assertThrows(UnreachableException.class, () -> FirstStart.withoutWaiting(settings))
                        .getMessage());
        assertTrue(why.equals(command) || slow(command), command);
    }
}
