package org.idallocator.zk.operator;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A root that was made for everybody, and is taken from strangers, on a real ZooKeeper. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ProofOnly("starts a ZooKeeper for each test")
final class SecuringTest {
    private static final List<Scheme<?>> SCHEMES =
            List.of(new SnoScheme(7, 1, 4), new EightByteScheme(3), new Uid60Scheme(Duration.ofHours(1)));
    private static final List<String> OURS = List.of("digest:replica:tell-nobody");

    @SuppressWarnings("NullAway.Init")
    private static LocalServer server;

    @BeforeAll
    static void start() throws Exception {
        server = LocalServer.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static AllocatorSettings settings(String root, List<String> auth, String name) {
        ZooKeeperSettings zookeeper =
                ZooKeeperSettings.of(server.connect()).withRoot(root).withAuth(auth);
        return AllocatorSettings.of(SCHEMES, zookeeper).withReplica(new Replica(name, "host", 1, ""));
    }

    private static void serveOnce(AllocatorSettings settings) throws Exception {
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            replica.awaitReady(HangGuard.TIME);
        }
    }

    private static Strangers strangers(AllocatorSettings settings) {
        try (ClusterView view = ClusterView.connect(settings)) {
            return view.strangers();
        }
    }

    @Test
    void shouldMakeEverythingForItsOwnIdentityAlone() throws Exception {
        AllocatorSettings ours = settings("/fresh/and/deep", OURS, "a");
        FirstStart.withoutWaiting(ours);
        try (IdAllocator replica = IdAllocator.connect(ours)) {
            replica.awaitReady(HangGuard.TIME);
            Strangers found = replica.cluster().strangers();
            assertTrue(found.nodes() > 15, found::toString);
            assertEquals(List.of(), found.open());
        }
        try (Admin stranger = Admin.of(ours.zookeeper().connect())) {
            for (String path : List.of("/fresh", "/fresh/and", "/fresh/and/deep")) {
                assertThrows(
                        KeeperException.NoAuthException.class,
                        () -> stranger.curator().getChildren().forPath(path));
            }
        }
    }

    @Test
    void shouldTakeAnOpenRootFromStrangersOnceAndForAll() throws Exception {
        AllocatorSettings open = settings("/open", List.of(), "a");
        AllocatorSettings ours = settings("/open", OURS, "b");
        FirstStart.withoutWaiting(open);
        serveOnce(open);
        Strangers before = strangers(ours);
        assertEquals(before.nodes(), before.open().size());
        assertEquals("/open", before.open().get(0));
        assertTrue(
                before.inWords()
                        .orElseThrow()
                        .startsWith(
                                "strangers may write " + before.nodes() + " of the " + before.nodes()
                                        + " nodes of /open: /open (world:anyone:cdrwa), /open/eightbyte (world:anyone:cdrwa), "),
                before::toString);
        Check warned = check(ours, "strangers");
        assertEquals(Check.Result.WARN, warned.result());
        String lines = "take the nodes from strangers:\nzkCli.sh -server " + server.connect()
                + "\naddauth digest USER:PASSWORD\nsetAcl -R /open auth::cdrwa";
        assertEquals("where all replicas have these credentials, " + lines, warned.remedy());
        assertEquals(
                "give all replicas credentials, by zookeeper.auth, start them anew, and " + lines,
                check(open, "strangers").remedy());

        List<String> steps = new ArrayList<>();
        assertEquals(new Securing.Report(before.nodes(), before.nodes()), Securing.run(ours, false, steps::add));
        assertEquals("node 1 of " + before.nodes() + " that strangers may write", steps.get(0));
        assertEquals(new Securing.Report(before.nodes(), 0), Securing.run(ours, false, step -> {}));

        assertEquals(Check.Result.OK, check(ours, "strangers").result());
        serveOnce(ours);
        try (Admin stranger = Admin.of(open.zookeeper().connect())) {
            for (String path : before.open()) {
                assertThrows(
                        KeeperException.NoAuthException.class,
                        () -> stranger.curator().setData().forPath(path, new byte[0]),
                        path);
            }
        }
    }

    private static Check check(AllocatorSettings settings, String name) {
        return Doctor.examine(settings).stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Whoever has the wrong password is somebody else: ZooKeeper says so of the first node. */
    @Test
    void shouldSayThatTheCredentialsAreWrongWhenPasswordIs() throws Exception {
        FirstStart.withoutWaiting(settings("/guarded", OURS, "a"));
        AllocatorSettings wrong = settings("/guarded", List.of("digest:replica:another-secret"), "b");
        try (IdAllocator replica = IdAllocator.connect(wrong)) {
            FencedException refused = refusal(replica);
            assertEquals(FenceReason.NO_PERMISSION, refused.reason());
            assertEquals(
                    "ZooKeeper refuses access below the root; correct its ACL or the credentials (/guarded/meta: NOAUTH)",
                    refused.getMessage());
        }
        assertEquals("no-permission", check(wrong, "root").reason());
    }

    @Test
    void shouldRefuseToLockEverybodyOut() {
        AllocatorSettings nobody = settings("/open-to-all", List.of(), "a");
        FirstStart.withoutWaiting(nobody);
        RefusedException refused = assertThrows(RefusedException.class, () -> Securing.run(nobody, true, step -> {}));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("zookeeper.auth has no credentials"));
        assertEquals(strangers(nobody).paths(), strangers(nobody).open());
    }

    /** Neither what is logged at any level, nor what is said or shown, nor any node has it. */
    @Test
    void shouldTellNobodyTheSecret() throws Exception {
        Logger all = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Map<Logger, Level> before = new HashMap<>();
        all.getLoggerContext().getLoggerList().stream()
                .filter(logger -> logger.getLevel() != null)
                .forEach(logger -> before.put(logger, logger.getLevel()));
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>(); // other threads tell things meanwhile
        lines.start();
        AllocatorSettings ours = settings("/secret", OURS, "a");
        List<String> said =
                new ArrayList<>(List.of(ours.toString(), ours.zookeeper().toString()));
        all.addAppender(lines);
        before.keySet().forEach(logger -> logger.setLevel(Level.TRACE));
        try {
            FirstStart.withoutWaiting(ours);
            try (IdAllocator replica = IdAllocator.connect(ours);
                    Admin owner = Admin.of(ours.zookeeper())) {
                replica.awaitReady(HangGuard.TIME);
                said.add(Json.write(replica.held()));
                said.add(replica.cluster().fleet().toString());
                for (String path : replica.cluster().strangers().paths()) {
                    said.add(owner.read(path));
                    said.add(owner.curator().getACL().forPath(path).toString());
                }
            }
            said.add(Doctor.examine(ours).toString());
            AllocatorSettings wrong = settings("/secret", List.of("digest:replica:tell-nobody-else"), "b");
            try (IdAllocator replica = IdAllocator.connect(wrong)) {
                said.add(told(refusal(replica)));
            }
            said.add(Doctor.examine(wrong).toString());
        } finally {
            before.forEach(Logger::setLevel);
            all.detachAppender(lines);
        }
        lines.list.forEach(line -> said.add(line.getFormattedMessage()));
        lines.list.stream()
                .filter(line -> line.getThrowableProxy() != null)
                .forEach(line -> said.add(ThrowableProxyUtil.asString(line.getThrowableProxy())));
        assertTrue(said.size() > 100, "too little was said: " + said.size());
        assertEquals(
                List.of(),
                said.stream().filter(text -> text.contains("tell-nobody")).toList());
    }

    /** Why the replica does not serve, when it has had time to connect. */
    private static FencedException refusal(IdAllocator replica) {
        await().until(() -> replica.status(SCHEMES.get(0))
                .fenced()
                .filter(why -> why.reason() != FenceReason.STARTING)
                .isPresent());
        return replica.status(SCHEMES.get(0)).fenced().orElseThrow();
    }

    private static String told(Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** A replica without credentials makes its own node for everybody. */
    @Test
    void shouldNameReplicasThatWouldLoseTheirSlots() throws Exception {
        AllocatorSettings ours = settings("/mixed", OURS, "with");
        FirstStart.withoutWaiting(settings("/mixed", List.of(), "without"));
        try (Admin without = Admin.of(ours.zookeeper().connect())) {
            without.create("/mixed/members", "");
            without.curator().create().withMode(CreateMode.EPHEMERAL).forPath("/mixed/members/without", new byte[0]);
            RefusedException refused =
                    assertThrows(RefusedException.class, () -> Securing.run(ours, false, step -> {}));
            assertEquals(
                    "these replicas run without credentials, and would lose their slots: without; start them anew with"
                            + " zookeeper.auth first",
                    refused.getMessage());
            assertTrue(strangers(ours).open().size() > 10, "nothing was done");
            assertTrue(Securing.run(ours, true, step -> {}).secured() > 10);
        }
        serveOnce(ours);
    }

    /** A replica's own node ends with its session: what stays, or is for somebody else alone, is none. */
    @Test
    void shouldTakeNoNodeThatStaysForReplica() throws Exception {
        AllocatorSettings ours = settings("/left", OURS, "a");
        FirstStart.withoutWaiting(settings("/left", List.of(), "without"));
        try (Admin stranger = Admin.of(ours.zookeeper().connect())) {
            stranger.create("/left/members/stays", "{}");
        }
        assertTrue(Securing.run(ours, false, step -> {}).secured() > 10);
        assertEquals(List.of(), strangers(ours).open());
        try (ClusterView view = ClusterView.connect(ours)) {
            assertEquals(List.of(), view.members());
        }
    }

    /** Neither replicas nor views read what lies elsewhere than in the allocator's own nodes; the doctor tells of it. */
    @Test
    void shouldTellOfNodesThatAreNoneOfTheAllocators() throws Exception {
        AllocatorSettings open = settings("/strayed", List.of(), "a");
        FirstStart.withoutWaiting(open);
        serveOnce(open);
        assertEquals(Check.Result.OK, check(open, "strays").result(), "what was made by a replica");
        try (Admin stranger = Admin.of(open.zookeeper().connect())) {
            stranger.create("/strayed/stray", "");
            stranger.create("/strayed/sno/stray", "");
            stranger.create("/strayed/sno/records/0g", "");
            stranger.create("/strayed/members/stays", "{}");
        }
        int nodes = strangers(open).nodes();
        Check warned = check(open, "strays");
        assertEquals(Check.Result.WARN, warned.result());
        assertEquals(
                "4 of the " + nodes + " nodes of /strayed are none that the allocator makes: /strayed/stray,"
                        + " /strayed/members/stays, /strayed/sno/stray, ...",
                warned.seen());
        assertTrue(String.valueOf(warned.remedy()).endsWith(" deleteall /strayed/stray"), warned::toString);
    }

    /** Whoever comes while a root is open may leave nodes that are theirs, and of everybody who has their address or password. */
    @Test
    void shouldTakeFromStrangersWhatTheyKeptForThemselves() throws Exception {
        AllocatorSettings open = settings("/kept", List.of(), "a");
        AllocatorSettings ours = settings("/kept", OURS, "b");
        FirstStart.withoutWaiting(ours);
        Map<String, String> kept = new TreeMap<>(Map.of(
                "/kept/anywhere", "ip:0.0.0.0/0:cdrwa",
                "/kept/evil", "digest:evil:...:cdrwa",
                "/kept/namesake", "digest:replica:...:w",
                "/kept/writable", "world:anyone:w"));
        try (Admin owner = Admin.of(ours.zookeeper())) {
            leave(owner, "/kept/anywhere", acl("ip", "0.0.0.0/0", ZooDefs.Perms.ALL));
            leave(owner, "/kept/evil", acl("digest", digest("evil:evil"), ZooDefs.Perms.ALL));
            leave(owner, "/kept/namesake", acl("digest", digest("replica:another"), ZooDefs.Perms.WRITE));
            leave(owner, "/kept/readable", acl("world", "anyone", ZooDefs.Perms.READ));
            leave(owner, "/kept/writable", acl("world", "anyone", ZooDefs.Perms.WRITE));
        }
        Strangers found = strangers(ours);
        assertEquals(
                kept,
                found.access().stream()
                        .filter(Store.Access::open)
                        .collect(Collectors.toMap(
                                Store.Access::path,
                                node -> String.join(" and ", node.others()),
                                (one, other) -> one,
                                TreeMap::new)));
        Check warned = check(ours, "strangers");
        assertEquals(Check.Result.WARN, warned.result());
        assertEquals(
                "strangers may write 4 of the " + found.nodes()
                        + " nodes of /kept: /kept/anywhere (ip:0.0.0.0/0:cdrwa),"
                        + " /kept/evil (digest:evil:...:cdrwa), /kept/namesake (digest:replica:...:w), ...",
                warned.seen());
        assertEquals(new Securing.Report(found.nodes(), 4), Securing.run(ours, false, step -> {}));
        assertEquals(List.of(), strangers(ours).open());
        for (Admin stranger : List.of(
                Admin.of(open.zookeeper()),
                Admin.of(open.zookeeper().withAuth(List.of("digest:evil:evil"))),
                Admin.of(open.zookeeper().withAuth(List.of("digest:replica:another"))))) {
            try (stranger) {
                for (String path : kept.keySet()) {
                    assertThrows(
                            KeeperException.NoAuthException.class,
                            () -> stranger.curator().setData().forPath(path, new byte[0]),
                            path);
                }
            }
        }
    }

    /** What a client may neither read nor administer is not known to be safe, and cannot be made so by that client. */
    @Test
    void shouldSayWhichNodesAreNotToldToThisClient() throws Exception {
        AllocatorSettings ours = settings("/dark", OURS, "a");
        FirstStart.withoutWaiting(settings("/dark", List.of(), "a"));
        try (Admin stranger = Admin.of(ours.zookeeper().connect())) {
            stranger.create("/dark/members/evil", "");
            stranger.curator()
                    .setACL()
                    .withACL(List.of(
                            acl("world", "anyone", ZooDefs.Perms.ALL & ~ZooDefs.Perms.READ & ~ZooDefs.Perms.ADMIN)))
                    .forPath("/dark/members/evil");
        }
        Strangers found = strangers(ours);
        assertEquals(List.of("/dark/members/evil"), found.untold());
        try (ClusterView view = ClusterView.connect(ours)) {
            assertEquals(List.of(), view.members(), "it is no replica's, and keeps nobody from looking");
        }
        Check failed = check(ours, "strangers");
        assertEquals(Check.Result.FAIL, failed.result());
        assertTrue(
                failed.seen()
                        .endsWith("; ZooKeeper does not tell this client who may write 1 of the " + found.nodes()
                                + " nodes of /dark, or what is below them: /dark/members/evil"),
                failed::toString);
        RefusedException refused = assertThrows(RefusedException.class, () -> Securing.run(ours, false, step -> {}));
        assertEquals(
                "ZooKeeper does not let this client say who may write 1 of the " + found.nodes()
                        + " nodes of /dark: /dark/members/evil; " + (found.nodes() - 1)
                        + " others were taken from strangers; the superuser of ZooKeeper can set their ACLs; who owns the"
                        + " parent can delete what is no slot's record",
                refused.getMessage());
        assertEquals(List.of(), strangers(ours).open());
        assertEquals(Check.Result.FAIL, check(ours, "strangers").result());
        try (Admin owner = Admin.of(ours.zookeeper())) {
            owner.curator().delete().forPath("/dark/members/evil");
        }
        assertEquals(Check.Result.OK, check(ours, "strangers").result());
    }

    /** A node that is the client's own, and of whom else this entry lets in. */
    private static void leave(Admin owner, String path, ACL entry) throws Exception {
        List<ACL> own = owner.curator().getACL().forPath("/kept");
        owner.curator()
                .create()
                .withACL(Stream.concat(own.stream(), Stream.of(entry)).toList())
                .forPath(path, new byte[0]);
    }

    private static ACL acl(String scheme, String id, int permissions) {
        return new ACL(permissions, new Id(scheme, id));
    }

    private static String digest(String credentials) throws Exception {
        return DigestAuthenticationProvider.generateDigest(credentials);
    }
}
