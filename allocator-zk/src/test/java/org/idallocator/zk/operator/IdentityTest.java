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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.LocalServer;
import org.idallocator.zk.znode.Json;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Whose the nodes of a root are, and who is told the credentials, on a real ZooKeeper. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ProofOnly("starts a ZooKeeper for each test")
final class IdentityTest {
    private static final List<Scheme<?>> SCHEMES =
            List.of(new SnoScheme(7, 1, 4), new EightByteScheme(3), new Uid60Scheme(Duration.ofHours(1)));
    private static final List<String> OURS = List.of("digest:replica:tell-nobody");

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    private static AllocatorSettings settings(String root, List<String> auth, String name) {
        ZooKeeperSettings zookeeper =
                ZooKeeperSettings.of(SERVER.connect()).withRoot(root).withAuth(auth);
        return AllocatorSettings.of(SCHEMES, zookeeper).withReplica(new Replica(name, "host", 1, ""));
    }

    private static void serveOnce(AllocatorSettings settings) throws Exception {
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            replica.awaitReady(HangGuard.TIME);
        }
    }

    /** The root and all that stays below it. */
    private static List<String> paths(Admin admin, String root) throws Exception {
        return ZKUtil.listSubTreeBFS(admin.curator().getZookeeperClient().getZooKeeper(), root).stream()
                .filter(path -> !path.contains("/index/"))
                .toList();
    }

    @Test
    void shouldMakeEverythingForItsOwnIdentityAlone() throws Exception {
        AllocatorSettings ours = settings("/fresh/and/deep", OURS, "a");
        FirstStart.withoutWaiting(ours);
        try (IdAllocator replica = IdAllocator.connect(ours)) {
            replica.awaitReady(HangGuard.TIME);
            try (Admin owner = Admin.of(ours.zookeeper())) {
                List<String> paths = paths(owner, "/fresh");
                assertTrue(paths.size() > 15, paths::toString);
                for (String path : paths) {
                    assertEquals(
                            List.of("digest"),
                            owner.curator().getACL().forPath(path).stream()
                                    .map(entry -> entry.getId().getScheme())
                                    .toList(),
                            path);
                }
            }
        }
        try (Admin stranger = Admin.of(ours.zookeeper().connect())) {
            for (String path : List.of("/fresh", "/fresh/and", "/fresh/and/deep")) {
                assertThrows(
                        KeeperException.NoAuthException.class,
                        () -> stranger.curator().getChildren().forPath(path));
            }
        }
    }

    /** Whoever may write there can have replicas issue equal IDs, and the remedy takes it from them. */
    @Test
    void shouldSayThatAnybodyMayWriteUntilTheRootIsTakenFromThem() throws Exception {
        AllocatorSettings open = settings("/open", List.of(), "a");
        AllocatorSettings ours = settings("/open", OURS, "b");
        FirstStart.withoutWaiting(open);
        serveOnce(open);
        String lines = "take the nodes from strangers:\nzkCli.sh -server " + SERVER.connect()
                + "\naddauth digest USER:PASSWORD\nsetAcl -R /open auth::cdrwa";
        assertEquals(
                Finding.warn(
                                "anybody may write /open, /open/meta, /open/sno/layout, /open/sno/leases, /open/sno/records,"
                                        + " /open/eightbyte/03/layout, /open/eightbyte/03/leases, /open/eightbyte/03/records,"
                                        + " /open/uid60/layout, /open/uid60/leases, /open/uid60/records",
                                "where all replicas have these credentials, " + lines)
                        .about("strangers"),
                check(ours, "strangers"));
        assertEquals(
                "give all replicas credentials, by zookeeper.auth, start them again, and " + lines,
                check(open, "strangers").remedy());
        List<String> paths;
        try (Admin owner = Admin.of(ours.zookeeper())) {
            paths = paths(owner, "/open");
            for (String path : paths) { // as setAcl -R does
                owner.curator().setACL().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath(path);
            }
        }
        assertEquals(Check.Result.OK, check(ours, "strangers").result());
        serveOnce(ours);
        try (Admin stranger = Admin.of(open.zookeeper().connect())) {
            for (String path : paths) {
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
                said.add(replica.cluster().state().toString());
                for (String path : paths(owner, "/secret")) {
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
}
