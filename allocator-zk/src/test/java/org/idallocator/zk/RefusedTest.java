package org.idallocator.zk;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;
import org.idallocator.zk.store.CuratorStore;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.LocalServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real ZooKeeper that refuses a client: its credentials, or what it wants to do. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ProofOnly("whoever connects by the product's own deadlines needs a processor within seconds")
final class RefusedTest {
    private static final Scheme<?> MUID = new MuidScheme();

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    @AfterAll
    static void logInNowhere() {
        Configuration.setConfiguration(null);
    }

    private static ZooKeeperSettings zookeeper() {
        return ZooKeeperSettings.of(SERVER.connect());
    }

    private static AllocatorSettings settings(ZooKeeperSettings zookeeper) {
        return AllocatorSettings.of(List.of(MUID), zookeeper);
    }

    private static String refused() {
        return "ZooKeeper refuses access below the root; correct its ACL or the credentials ("
                + zookeeper().connect() + " refuses the credentials of zookeeper.auth)";
    }

    @Test
    void shouldSayThatCredentialsAreRefusedToCallers() {
        try (IdAllocator replica = IdAllocator.connect(settings(zookeeper().withAuth(List.of("foo:bar"))))) {
            await().until(() -> reason(replica).equals(Optional.of(FenceReason.NO_PERMISSION)));
            assertEquals(refused(), replica.status(MUID).fenced().orElseThrow().getMessage());
        }
    }

    /** ZooKeeper's own client would go on as anybody, and make the nodes for everybody. */
    @Test
    void shouldMakeNothingForEverybodyWhereASaslSectionIsMissing() throws Exception {
        assertLoginRefused(
                Map.of("zookeeper.sasl.clientconfig", "Nobody"),
                "there is no section Nobody in a JAAS configuration, as -Djava.security.auth.login.config=FILE names none, or"
                        + " it cannot be read; where no login is wanted, set zookeeper.sasl.client: \"false\" in"
                        + " zookeeper.properties");
    }

    /**
     * In FIPS mode, which is on by default, the client knows no passwords; and where it does, this server knows no
     * SASL.
     */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void shouldSayThatALoginIsRefused(String fipsMode) throws Exception {
        Configuration.setConfiguration(new Users());
        assertLoginRefused(
                Map.of("zookeeper.sasl.clientconfig", "Replica", "zookeeper.fips-mode", fipsMode),
                zookeeper().connect() + " refuses the SASL login of section Replica of the JAAS configuration");
    }

    /** The replica, the doctor and other commands say the same, and nobody makes anything. */
    private static void assertLoginRefused(Map<String, String> properties, String why) throws Exception {
        AllocatorSettings settings = settings(zookeeper().withRoot("/nobodys").withProperties(properties));
        String told = "ZooKeeper refuses access below the root; correct its ACL or the credentials (" + why + ")";
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            await().until(() -> reason(replica).equals(Optional.of(FenceReason.NO_PERMISSION)));
            assertEquals(told, replica.status(MUID).fenced().orElseThrow().getMessage());
        }
        List<Check> checks = Doctor.examine(settings);
        assertEquals(
                "ZooKeeper no-permission " + told,
                checks.get(0).name() + " " + checks.get(0).reason() + " "
                        + checks.get(0).seen());
        assertTrue(String.valueOf(checks.get(0).remedy())
                .startsWith("log in, by the JAAS configuration, as a user who may "));
        assertEquals(1, checks.stream().filter(Check::failed).count(), "" + checks);
        assertEquals(
                why,
                assertThrows(UnreachableException.class, () -> FirstStart.withoutWaiting(settings))
                        .getMessage());
        try (Admin admin = Admin.of(zookeeper().connect())) {
            assertFalse(admin.exists("/nobodys"));
        }
    }

    /** The replicas' user; no other client of this JVM logs in. */
    private static final class Users extends Configuration {
        @Override
        public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String section) {
            return section.equals("Replica")
                    ? new AppConfigurationEntry[] {
                        new AppConfigurationEntry(
                                DigestLoginModule.class.getName(),
                                AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
                                Map.of("username", "replica", "password", "tell-nobody"))
                    }
                    : null;
        }
    }

    private static Optional<FenceReason> reason(IdAllocator replica) {
        return replica.status(MUID).fenced().map(FencedException::reason);
    }

    @Test
    void shouldSayThatCredentialsAreRefusedBeforeAllElse() {
        Check first = Doctor.examine(settings(zookeeper().withAuth(List.of("digest:right:kind", "foo:bar"))))
                .get(0);
        assertEquals("ZooKeeper FAIL " + refused(), first.name() + " " + first.result() + " " + first.seen());
        assertEquals("no-permission", first.reason());
    }

    /** Each handle of a client whose credentials are refused leaves a session in ZooKeeper. */
    @Test
    void shouldTryAgainOncePerSessionTimeout() {
        ZooKeeperSettings refused = zookeeper().withAuth(List.of("foo:bar"));
        AtomicLong nanos = new AtomicLong();
        try (CuratorFramework client = Clients.open(refused)) {
            client.start();
            Store store = CuratorStore.failFast(client, refused, new SimulatedClock(nanos::get, 0, () -> {}), () -> {});
            await().until(() -> kind(store) == StoreException.Kind.CREDENTIALS_REFUSED);
            long handles = client.getZookeeperClient().getInstanceIndex();
            nanos.addAndGet(refused.sessionTimeout().toNanos() - 1);
            assertEquals(StoreException.Kind.CREDENTIALS_REFUSED, kind(store));
            assertEquals(handles, client.getZookeeperClient().getInstanceIndex());
            nanos.incrementAndGet();
            assertEquals(StoreException.Kind.CREDENTIALS_REFUSED, kind(store));
            await().until(() -> kind(store) == StoreException.Kind.CREDENTIALS_REFUSED);
            assertEquals(handles + 1, client.getZookeeperClient().getInstanceIndex());
        }
    }

    private static StoreException.Kind kind(Store store) {
        return assertThrows(StoreException.class, () -> store.sync("/")).kind();
    }

    /** What listens there is not the ZooKeeper that the client looks for: no credentials are wrong. */
    @Test
    void shouldSayThatADirectorysZooKeeperCannotBeReachedWhereAnotherListens() {
        List<Check> checks =
                Doctor.examine(settings(zookeeper().onEmbedded(zookeeper().connect(), "another")));
        assertEquals(
                new Check(
                        "ZooKeeper",
                        Check.Result.FAIL,
                        "ZooKeeper cannot be reached; bring it back, or correct where it is looked for; connecting"
                                + " goes on by itself (what listens there refuses this client's credentials)",
                        "stop what listens there, or look why the process does not answer that runs the embedded"
                                + " ZooKeeper",
                        "unreachable"),
                checks.get(0));
        assertTrue(checks.stream().skip(1).allMatch(check -> check.result() == Check.Result.SKIPPED), "" + checks);
    }

    /** What an interrupted doctor of any other version may have left hides no refusal. */
    @Test
    void shouldSeeWhatIsRefusedBesideLeftovers() throws Exception {
        ZooKeeperSettings zookeeper = zookeeper().withRoot("/leftovers");
        assertTrue(FirstStart.withoutWaiting(settings(zookeeper)));
        try (Admin admin = Admin.of(zookeeper.connect())) {
            admin.curator().create().orSetData().forPath("/leftovers/members", new byte[0]);
            admin.curator().create().forPath("/leftovers/members/doctor", new byte[0]);
            int allButDelete = ZooDefs.Perms.ALL & ~ZooDefs.Perms.DELETE;
            admin.curator()
                    .setACL()
                    .withACL(List.of(new ACL(allButDelete, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                    .forPath("/leftovers/members");
        }

        assertEquals(
                List.of("rights no-permission"),
                Doctor.examine(settings(zookeeper)).stream()
                        .filter(Check::failed)
                        .map(check -> check.name() + " " + check.reason())
                        .toList());
    }

    /**
     * The doctor tells of it, as lists do; and whoever counts a floor refuses, because nobody knows what such a record
     * reserves.
     */
    @Test
    void shouldTellOfNodesThatMayNotBeReadAndCountNoFloorOverThem() throws Exception {
        AllocatorSettings settings = settings(zookeeper().withRoot("/hidden"));
        String hidden = "/hidden/muid/records/1000000000005";
        assertTrue(FirstStart.withoutWaiting(settings));
        try (Admin admin = Admin.of(zookeeper().connect())) {
            admin.create(hidden, "{}");
            admin.create("/hidden/muid/leases/1000000000006", "{}");
            for (String path : List.of(hidden, "/hidden/muid/leases/1000000000006")) {
                admin.curator()
                        .setACL()
                        .withACL(List.of(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                        .forPath(path);
            }
            String meta = admin.read("/hidden/meta");
            String layout = admin.read("/hidden/muid/layout");

            try (ClusterView view = ClusterView.connect(settings)) {
                PoolView pool = view.pool(MUID).orElseThrow();
                assertEquals(new PoolView.Counts("muid", 1L << 48, 0, (1L << 48) - 2, 0, 0, 2), pool.counts());
                assertEquals(
                        hidden + " may not be read by this client",
                        pool.slots().get(0).unreadable());
            }
            Check muid = Doctor.examine(settings).stream()
                    .filter(check -> check.name().equals("muid"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(Check.Result.WARN, muid.result(), muid::toString);
            assertTrue(String.valueOf(muid.remedy()).contains("correct the ACL"), muid::toString);

            Map<String, Executable> orders = Map.of(
                    hidden + " may not be read by this client",
                    () -> FenceRestore.run(settings, FenceRestore.Options.none()),
                    "/hidden/muid/leases/1000000000006: NOAUTH",
                    () -> Relayout.run(settings.withWindow(Duration.ofSeconds(5)), MUID, true));
            orders.forEach((told, order) -> {
                String why = String.valueOf(
                        assertThrows(UnreachableException.class, order).getMessage());
                assertTrue(why.contains(told), why);
            });
            assertEquals(meta, admin.read("/hidden/meta"));
            assertEquals(layout, admin.read("/hidden/muid/layout"));
        }
    }

    /**
     * More than are asked for at once, in their order, some of which are not there; and what is refused is told as
     * such.
     */
    @Test
    void shouldReadManyNodesTogether() throws Exception {
        try (Admin admin = Admin.of(zookeeper().connect())) {
            Store store = CuratorStore.waiting(admin.curator(), zookeeper());
            store.ensure("/many");
            List<String> paths =
                    IntStream.range(0, 600).mapToObj(i -> "/many/" + i).toList();
            Outcome made = store.send(Transaction.of(paths.stream()
                    .filter(path -> !path.endsWith("7"))
                    .<Store.Op>map(path -> new Store.Op.Create(path, "data of " + path, true))
                    .toList()));
            assertTrue(made.wasApplied());

            List<Store.Answer> together = store.readAll(paths);
            assertEquals(
                    paths.stream().map(store::read).toList(),
                    together.stream().map(Store.Answer::get).toList());
            assertEquals(
                    Optional.of("data of /many/598"), together.get(598).get().map(Store.Node::data));
            assertTrue(together.get(597) instanceof Store.Answer.Missing);
            assertEquals(List.of(), store.readAll(List.of()));

            admin.curator()
                    .setACL()
                    .withACL(List.of(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                    .forPath("/many/300");
            List<Store.Answer> beside = store.readAll(paths);
            assertEquals(
                    Optional.of("/many/300 may not be read by this client"),
                    beside.get(300).forbidden().map(StoreException::getMessage));
            assertEquals(
                    Optional.of(StoreException.Kind.NO_PERMISSION),
                    beside.get(300).forbidden().map(StoreException::kind));
            assertTrue(beside.get(300).readable().isEmpty());
            assertEquals(together.subList(301, 600), beside.subList(301, 600));
        }
    }
}
