package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitActive;
import static org.idallocator.ensembles.TestReplicas.awaitFenced;
import static org.idallocator.ensembles.TestReplicas.check;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps a replica from serving when it starts, what callers are told then, and that the doctor says the same. */
@Execution(ExecutionMode.CONCURRENT)
class StartingIT {
    /**
     * No test waits for its end, and none expects that a replica that gets little of a processor lives through its end.
     */
    private static final Duration SESSION = Duration.ofSeconds(20);

    private static final SnoScheme SNO = new SnoScheme(0, 1, 2);
    private static final GidScheme GID = new GidScheme(GidType.VOLUME);

    @AutoClose
    private static final ZooKeeperProcesses ZOOKEEPER = ZooKeeperProcesses.alone();

    private final TestReplicas replicas = TestReplicas.of(ZOOKEEPER.connectString(), SESSION);

    @Test
    void shouldSayClosedInEveryWayWhenClosed() {
        IdAllocator allocator = replicas.connect(SNO, GID);
        IdGenerator<Sno> snos = allocator.sno();
        IdGenerator<Gid> gids = allocator.gid();
        awaitActive(allocator, SNO);
        snos.next();
        gids.next();
        allocator.close();

        assertClosed(snos::next);
        assertClosed(gids::next);
        assertClosed(() -> allocator.generator(SNO).next());
        assertClosed(() -> allocator.awaitReady(HangGuard.TIME));
        for (Scheme<?> scheme : List.of(SNO, GID)) {
            awaitFenced(allocator, scheme, FenceReason.CLOSED);
        }
        allocator.close();
    }

    private static void assertClosed(Executable call) {
        FencedException thrown = assertThrows(FencedException.class, call);
        assertEquals(FenceReason.CLOSED, thrown.reason());
        assertEquals("this allocator is closed", thrown.getMessage());
    }

    @Test
    void shouldRefuseToWaitForASchemeThatIsNotConfigured() {
        Scheme<?> other = new EightByteScheme(0);
        try (IdAllocator allocator = replicas.connect(SNO)) {
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> allocator.awaitReady(other, Duration.ZERO));
            assertEquals("scheme eightbyte is not configured; configured are [sno]", thrown.getMessage());
        }
    }

    @Test
    void shouldNameTheRootWhenItsAclKeepsUsOut() throws Exception {
        String root = replicas.tree().root();
        Id owner = new Id("digest", DigestAuthenticationProvider.generateDigest("admin:secret"));
        try (Admin admin = Admin.of(ZOOKEEPER.connectString())) {
            admin.curator()
                    .create()
                    .withACL(List.of(new ACL(ZooDefs.Perms.ALL, owner)))
                    .forPath(root);
        }
        try (IdAllocator stranger = replicas.withoutPromise().connect(SNO);
                IdAllocator known = replicas.with("digest:admin:secret").connect(SNO)) {
            awaitFenced(stranger, SNO, FenceReason.NO_PERMISSION);
            FencedException refusal =
                    assertThrows(FencedException.class, () -> stranger.sno().next());
            String told = String.valueOf(refusal.getMessage());
            assertTrue(told.contains(root) && told.contains("ACL"), told);
            awaitActive(known, SNO);
        }
    }

    @Test
    @ProofOnly("the doctor waits for seconds, no longer")
    void shouldSayThatRightsAreMissingWhenDoctorLooks() throws Exception {
        String root = replicas.tree().root();
        try (Admin admin = Admin.of(ZOOKEEPER.connectString())) {
            List<ACL> others = List.of(new ACL(ZooDefs.Perms.ALL, new Id("ip", "192.0.2.1")));
            admin.curator().create().withACL(others).forPath(root);
        }
        Check check = check(Doctor.examine(replicas.settings(SNO)), "root");
        assertTrue(
                check.failed() && check.seen().contains("ACL") && check.seen().contains(root), check::toString);
        String remedy = "zkCli.sh -server " + ZOOKEEPER.connectString() + " getAcl " + root;
        assertTrue(String.valueOf(check.remedy()).endsWith(remedy), check::toString);
    }

    private static void assertReason(AllocatorSettings settings, String failed, String detail, String reason) {
        List<Check> bad =
                Doctor.examine(settings).stream().filter(Check::failed).toList();
        assertEquals(failed, String.join(" ", bad.stream().map(Check::name).toList()));
        assertTrue(bad.get(0).seen().contains(detail), bad.get(0).seen());
        assertEquals(reason, bad.get(0).reason());
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            await().until(() -> replica.status(SNO)
                    .fenced()
                    .filter(why -> why.reason().code().equals(reason))
                    .isPresent());
        }
    }

    private AllocatorSettings at(String connect) {
        AllocatorSettings settings = replicas.settings(SNO);
        return settings.withZooKeeper(settings.zookeeper().withConnect(connect));
    }

    @ParameterizedTest
    @CsvSource({
        "%s/nowhere, chroot, create it (/nowhere), no-chroot",
        "127.0.0.1:1, ZooKeeper servers, no answer from 127.0.0.1:1 within 10 s), unreachable"
    })
    @ProofOnly("the doctor waits for seconds, no longer")
    void shouldSayWhatTheReplicaSaysWhenTheAddressIsWrong(String connect, String failed, String detail, String reason) {
        assertReason(at(connect.formatted(ZOOKEEPER.connectString())), failed, detail, reason);
    }

    /**
     * The doctor asks for a transaction that cannot succeed, so that ZooKeeper tells its rights and applies nothing.
     */
    @ParameterizedTest
    @ValueSource(strings = {"members", "sno/leases", "sno/records"})
    @ProofOnly("the doctor waits for seconds, no longer")
    void shouldSayWhatTheReplicaSaysWhenRightsAreMissing(String parent) throws Exception {
        String root = replicas.tree().root();
        String path = root + "/" + parent;
        try (IdAllocator first = replicas.connect(SNO)) {
            awaitActive(first, SNO);
        }
        try (Admin admin = Admin.of(ZOOKEEPER.connectString())) {
            await("the session ends")
                    .until(() -> admin.curator()
                            .getChildren()
                            .forPath(root + "/members")
                            .isEmpty());
            assertTrue(Doctor.examine(replicas.settings(SNO)).stream().noneMatch(Check::failed));
            int changes = admin.curator().checkExists().forPath(path).getCversion();
            List<ACL> reading = List.of(new ACL(ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE));
            for (String child : admin.curator().getChildren().forPath(path)) {
                admin.curator().setACL().withACL(reading).forPath(path + "/" + child);
            }
            admin.curator().setACL().withACL(reading).forPath(path);
            assertReason(
                    replicas.settings(SNO),
                    parent.equals("members") ? "rights" : "sno",
                    "correct its ACL or the credentials (" + root + "/" + parent.replaceFirst("/.*", "") + ")",
                    "no-permission");
            assertEquals(changes, admin.curator().checkExists().forPath(path).getCversion(), "nothing was made there");
        }
    }

    /** Without a quorum, a server that runs gives no session either. */
    @Test
    @ProofOnly("the doctor waits for seconds, no longer")
    void shouldSayWhichServersGiveNoSession() {
        try (ZooKeeperProcesses three = ZooKeeperProcesses.of(3, QuorumPeerMain.class, List.of())) {
            String[] members = three.connectString().split(",", -1);
            String silent = "no answer from " + members[2] + " within 3 s";
            assertEquals("OK 3 of 3 servers answer", servers(three));
            three.kill(2);
            assertEquals("WARN 2 of 3 servers answer: " + silent, servers(three));
            three.kill(1);
            assertEquals(
                    "FAIL 0 of 3 servers answer: no answer from " + members[0] + " within 3 s, no answer from "
                            + members[1] + " within 3 s, " + silent,
                    servers(three));
        }
    }

    private String servers(ZooKeeperProcesses ensemble) {
        Check servers = check(Doctor.examine(at(ensemble.connectString())), "servers");
        return servers.result() + " " + servers.seen();
    }
}
