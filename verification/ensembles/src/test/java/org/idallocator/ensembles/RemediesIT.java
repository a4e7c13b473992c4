package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitActive;
import static org.idallocator.ensembles.TestReplicas.awaitFenced;
import static org.idallocator.ensembles.TestReplicas.calling;
import static org.idallocator.ensembles.TestReplicas.check;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators do when something is wrong helps, and doing nothing is safe. */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("waits for sessions to end and floors to pass; FencingIT has each way to lose a slot")
class RemediesIT {
    /** No test waits for its end, and none expects that a replica that gets little of a processor lives through its end. */
    private static final Duration SESSION = Duration.ofSeconds(20);

    /** Of replicas that may lose their slots at any time. */
    private static final Duration SHORT_SESSION = Duration.ofSeconds(4);

    private static final SnoScheme SNO = new SnoScheme(0, 1, 2);

    /** Of all tests that leave it whole: each has a root of its own. */
    @AutoClose
    private static final ZooKeeperProcesses ZOOKEEPER = ZooKeeperProcesses.alone();

    private final TestReplicas replicas = TestReplicas.of(ZOOKEEPER.connectString(), SESSION);

    @TempDir
    private Path directory;

    /** Both sno slots are in use. Only the replicas know what was reserved and issued after the backup. */
    @Test
    void shouldRefuseWhenOldBackupIsBroughtBackUntilFenceIsRestored() {
        DuplicateChecker checker = new DuplicateChecker();
        Path backup = directory.resolve("backup");
        try (ZooKeeperProcesses own = ZooKeeperProcesses.alone()) {
            bringBackAnOldBackup(own, TestReplicas.of(own.connectString(), SHORT_SESSION), backup, checker);
        }
        System.out.println(checker.seen() + " IDs");
        checker.requireNone();
    }

    private static void bringBackAnOldBackup(
            ZooKeeperProcesses server, TestReplicas replicas, Path backup, DuplicateChecker checker) {
        try (IdAllocator first = replicas.connect(SNO);
                IdAllocator second = replicas.connect(SNO)) {
            awaitActive(first, SNO);
            awaitActive(second, SNO);
            try (Caller one = Caller.of(first.sno(), checker);
                    Caller two = Caller.of(second.sno(), checker)) {
                server.kill(0);
                server.backUp(0, backup);
                server.restart(0);
                awaitRenewed(first);
                server.kill(0);
                server.bringBack(0, backup);
                server.restart(0);
                awaitFenced(first, SNO, FenceReason.ROLLED_BACK, FenceReason.META_GONE);
                awaitFenced(second, SNO, FenceReason.ROLLED_BACK, FenceReason.META_GONE);
                try (IdAllocator late = replicas.connect(SNO)) {
                    awaitFenced(late, SNO, FenceReason.META_GONE);
                }
                FenceRestore.Report report = FenceRestore.run(replicas.settings(SNO), replicas.promised());
                System.out.println("restored: " + report);
                awaitActive(first, SNO);
                awaitActive(second, SNO);
                await().until(() -> one.issuing() && two.issuing());
                System.out.println("first: " + one + "\nsecond: " + two);
            }
        }
    }

    /** Waits until the replica has reserved and issued beyond what the backup knows. */
    private static void awaitRenewed(IdAllocator allocator) {
        awaitActive(allocator, SNO);
        long ceiling =
                await().until(allocator::held, held -> !held.isEmpty()).get(0).ceilingTick();
        await().until(() -> allocator.held().stream().anyMatch(held -> held.ceilingTick() > ceiling + 3_000));
    }

    @Test
    void shouldSayThatRightsAreMissingWhenDoctorLooks() throws Exception {
        try (Admin admin = Admin.of(ZOOKEEPER.connectString())) {
            List<ACL> others = List.of(new ACL(ZooDefs.Perms.ALL, new Id("ip", "192.0.2.1")));
            admin.curator().create().withACL(others).forPath(replicas.tree().root());
            Check root = check(Doctor.examine(replicas.settings(SNO)), "root");
            assertTrue(root.failed());
            assertTrue(
                    root.seen().contains("ACL")
                            && root.seen().contains(replicas.tree().root()),
                    root.seen());
            assertTrue(
                    String.valueOf(root.remedy())
                            .endsWith("zkCli.sh -server " + ZOOKEEPER.connectString() + " getAcl "
                                    + replicas.tree().root()),
                    root.remedy());
        }
    }

    private static List<String> names(List<Check> checks) {
        return checks.stream().map(Check::name).toList();
    }

    private void assertReason(AllocatorSettings settings, String what, String detail, FenceReason reason) {
        List<Check> checks =
                reason == FenceReason.UNREACHABLE ? Doctor.examine(settings) : TestReplicas.examined(settings);
        List<Check> bad = checks.stream().filter(Check::failed).toList();
        assertEquals(reason == FenceReason.UNREACHABLE ? List.of(what, "servers") : List.of(what), names(bad));
        assertTrue(bad.get(0).seen().contains(detail), bad.get(0).seen());
        assertEquals(reason.code(), bad.get(0).reason());
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            awaitFenced(replica, SNO, reason);
        }
    }

    private AllocatorSettings at(String connect) {
        AllocatorSettings settings = replicas.settings(SNO);
        return settings.withZooKeeper(settings.zookeeper().withConnect(connect));
    }

    @Test
    void shouldSayWhatTheReplicaSaysWhenChrootIsMissing() {
        assertReason(
                at(ZOOKEEPER.connectString() + "/nowhere"), "chroot", "create it (/nowhere)", FenceReason.NO_CHROOT);
    }

    @Test
    void shouldSayWhatTheReplicaSaysWhenZooKeeperCannotBeReached() {
        assertReason(
                at("127.0.0.1:1"),
                "ZooKeeper",
                "no answer from 127.0.0.1:1 within " + Proof.size("", "10 s)"), // else as many as it takes
                FenceReason.UNREACHABLE);
    }

    /** The doctor asks for a transaction that cannot succeed, so that ZooKeeper tells its rights and applies nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"members", "sno/leases", "sno/records"})
    void shouldSayWhatTheReplicaSaysWhenRightsAreMissing(String parent) throws Exception {
        try (IdAllocator first = replicas.connect(SNO)) {
            awaitActive(first, SNO);
        }
        try (Admin admin = Admin.of(ZOOKEEPER.connectString())) {
            String path = replicas.tree().root() + "/" + parent;
            await("the session ends")
                    .until(() -> admin.curator()
                            .getChildren()
                            .forPath(replicas.tree().root() + "/members")
                            .isEmpty());
            assertTrue(TestReplicas.examined(replicas.settings(SNO)).stream().noneMatch(Check::failed));
            int changes = admin.curator().checkExists().forPath(path).getCversion();
            List<ACL> reading = List.of(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
            for (String child : admin.curator().getChildren().forPath(path)) {
                admin.curator().setACL().withACL(reading).forPath(path + "/" + child);
            }
            admin.curator().setACL().withACL(reading).forPath(path);
            assertReason(
                    replicas.settings(SNO),
                    parent.equals("members") ? "rights" : "sno",
                    "correct its ACL or the credentials (" + replicas.tree().root() + "/"
                            + parent.replaceFirst("/.*", "") + ")",
                    FenceReason.NO_PERMISSION);
            assertEquals(changes, admin.curator().checkExists().forPath(path).getCversion(), "nothing was made there");
        }
    }

    /** Without a quorum, a server that runs gives no session either. */
    @Test
    void shouldSayWhichServersGiveNoSession() {
        try (ZooKeeperProcesses three = ZooKeeperProcesses.of(3, QuorumPeerMain.class, List.of())) {
            String[] members = three.connectString().split(",", -1);
            AllocatorSettings settings = at(three.connectString());
            assertEquals("OK 3 of 3 servers answer", inWords(check(Doctor.examine(settings), "servers")));
            three.kill(2);
            String silent = "no answer from " + members[2] + " within 3 s";
            assertEquals("WARN 2 of 3 servers answer: " + silent, inWords(check(Doctor.examine(settings), "servers")));
            three.kill(1);
            List<Check> without = Doctor.examine(settings);
            assertEquals(
                    List.of("ZooKeeper", "servers"),
                    names(without.stream().filter(Check::failed).toList()));
            assertEquals(
                    "FAIL 0 of 3 servers answer: no answer from " + members[0] + " within 3 s, no answer from "
                            + members[1] + " within 3 s, " + silent,
                    inWords(check(without, "servers")));
        }
    }

    private static String inWords(Check check) {
        return check.result() + " " + check.seen();
    }

    /** Whoever holds a slot goes on until its generation ends, as the next version has to see to. */
    @Test
    void shouldLeaveALayoutAloneThatOnlyTheNextVersionUnderstands() {
        DuplicateChecker checker = new DuplicateChecker();
        SnoScheme other = new SnoScheme(0, 1, 4);
        String layout = replicas.tree().layout(SNO.pool().orElseThrow());
        try (Admin admin = Admin.of(ZOOKEEPER.connectString());
                IdAllocator holder = replicas.connect(SNO);
                Caller caller = calling(holder, SNO, checker)) {
            String before = admin.read(layout);
            String later = before.replace("{\"version\":1,", "{\"version\":3,");
            admin.write(layout, later);
            try (IdAllocator late = replicas.connect(SNO)) {
                awaitFenced(late, SNO, FenceReason.NEWER_VERSION);
                requireRefused(layout, () -> FenceRestore.run(replicas.settings(SNO), replicas.promised()));
                requireRefused(layout, () -> Relayout.run(replicas.settings(other), other, true));
                List<Check> checks = Doctor.examine(replicas.settings(SNO));
                assertEquals("newer-version", check(checks, SNO.name()).reason());
                assertEquals(later, admin.read(layout));
                assertTrue(caller.issuing(), caller::toString);
                admin.write(layout, before);
                calling(late, SNO, checker).close();
            }
        }
        checker.requireNone();
    }

    private static void requireRefused(String layout, Executable command) {
        assertEquals(
                layout + " can be understood from shape version 3 on; this software knows shape version 2",
                assertThrows(UnreachableException.class, command).getMessage());
    }
}
