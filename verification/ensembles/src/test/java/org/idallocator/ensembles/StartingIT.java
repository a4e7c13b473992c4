package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitActive;
import static org.idallocator.ensembles.TestReplicas.awaitFenced;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
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
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What keeps a replica from serving when it starts, and what callers are told then. */
@Execution(ExecutionMode.CONCURRENT)
class StartingIT {
    private static final Duration SESSION = Duration.ofSeconds(Proof.size(10, 4));
    private static final SnoScheme SNO = new SnoScheme(0, 16, 4);
    private static final EightByteScheme EIGHT = new EightByteScheme(0);
    private static final GidScheme GID = new GidScheme(GidType.VOLUME);

    @AutoClose
    private static final ZooKeepers ZOOKEEPER = ZooKeepers.alone();

    /** Nobody listens at its address. */
    @AutoClose
    private static final ZooKeepers NONE = killed();

    private final TestReplicas replicas = TestReplicas.of(ZOOKEEPER.connectString(), SESSION);

    @Test
    @ProofOnly("waits until a replica that knew no ZooKeeper has seen one")
    void shouldServeAsSoonAsZooKeeperAppears() {
        try (ZooKeepers late = killed();
                IdAllocator allocator = unreachable(late).connect(SNO, GID)) {
            awaitRefusal(allocator, SNO, FenceReason.UNREACHABLE);
            allocator.gid().next(); // needs no lease
            late.restart(0);
            awaitActive(allocator, SNO);
            allocator.sno().next();
        }
    }

    private static ZooKeepers killed() {
        ZooKeepers servers = ZooKeepers.alone();
        servers.kill(0);
        return servers;
    }

    private static TestReplicas unreachable(ZooKeepers servers) {
        return TestReplicas.of(servers.connectString(), SESSION).withoutPromise();
    }

    @Test
    void shouldSayStartingRightAfterConnecting() {
        try (IdAllocator allocator = replicas.connect(new NoTimePasses(), SNO)) {
            Optional<FencedException> first = allocator.status(SNO).fenced();

            assertTrue(
                    first.isEmpty() || first.get().reason() == FenceReason.STARTING,
                    () -> first.orElseThrow().getMessage());
        }
    }

    /** The machine's clock for whoever wants to know what time it is: so long ago nothing is. */
    private static final class NoTimePasses extends TestReplicas.MachineClock {
        @Override
        public long nanos() {
            return 0;
        }
    }

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
        assertClosed(() -> allocator.awaitReady(GID, HangGuard.TIME));
        for (Scheme<?> scheme : List.of(SNO, GID)) {
            assertEquals(
                    FenceReason.CLOSED,
                    allocator.status(scheme).fenced().orElseThrow().reason());
        }
        allocator.close();
        assertClosed(snos::next);
    }

    private static void assertClosed(Executable call) {
        FencedException thrown = assertThrows(FencedException.class, call);
        assertEquals(FenceReason.CLOSED, thrown.reason());
        assertEquals("this allocator is closed", thrown.getMessage());
    }

    @Test
    void shouldEndTheWaitWhenClosedMeanwhile() throws Exception {
        IdAllocator allocator = unreachable(NONE).connect(SNO);
        FutureTask<FenceReason> waiting = whyNotReady(allocator);
        allocator.close();

        assertEquals(FenceReason.CLOSED, waiting.get(HangGuard.TIME.toSeconds(), TimeUnit.SECONDS));
    }

    /** Waits in another thread, which parks before this returns; null when all schemes served in the end. */
    private FutureTask<FenceReason> whyNotReady(IdAllocator allocator) {
        FutureTask<FenceReason> task = new FutureTask<>(() -> {
            try {
                allocator.awaitReady(HangGuard.TIME.multipliedBy(2));
                return null;
            } catch (FencedException e) {
                return e.reason();
            }
        });
        Thread caller = new Thread(task);
        caller.setDaemon(true);
        caller.start();
        await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
        return task;
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.scheme.Schemes#names")
    void shouldSpellEachSchemeAsItsName(String name) throws NoSuchMethodException {
        assertEquals(IdGenerator.class, IdAllocator.class.getMethod(name).getReturnType());
    }

    @Test
    void shouldRefuseToWaitForASchemeThatIsNotConfigured() {
        try (IdAllocator allocator = replicas.connect(SNO)) {
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> allocator.awaitReady(EIGHT, Duration.ZERO));

            assertEquals("scheme eightbyte is not configured; configured are [sno]", thrown.getMessage());
        }
    }

    @Test
    void shouldNameTheRootWhenItsAclKeepsUsOut() throws Exception {
        try (Admin admin = Admin.of(ZOOKEEPER.connectString())) {
            List<ACL> others = List.of(new ACL(ZooDefs.Perms.ALL, new Id("digest", digest("admin:secret"))));
            admin.curator().create().withACL(others).forPath(replicas.tree().root());
            try (IdAllocator stranger = replicas.withoutPromise().connect(SNO);
                    IdAllocator known = replicas.with("digest:admin:secret").connect(SNO)) {
                String message = awaitRefusal(stranger, SNO, FenceReason.NO_PERMISSION);
                assertTrue(message.contains(replicas.tree().root()) && message.contains("ACL"), message);
                awaitActive(known, SNO);
            }
        }
    }

    @Test
    @ProofOnly("waits for floors")
    void shouldServeWhenTheLayoutIsCorrected() {
        try (Admin admin = Admin.of(ZOOKEEPER.connectString());
                IdAllocator first = replicas.connect(EIGHT)) {
            awaitActive(first, EIGHT);
            String path = replicas.tree().layout(EIGHT.pool().orElseThrow());
            String right = admin.read(path);
            admin.write(path, right.replaceFirst("\"slots\":64", "\"slots\":32"));
            try (IdAllocator second = replicas.connect(EIGHT)) {
                String message = awaitRefusal(second, EIGHT, FenceReason.LAYOUT_MISMATCH);
                assertTrue(message.contains(path), message);
                admin.write(path, right);
                awaitActive(second, EIGHT);
            }
        }
    }

    /** Waits for this reason, and returns what a caller is told. */
    private static String awaitRefusal(IdAllocator allocator, Scheme<?> scheme, FenceReason reason) {
        awaitFenced(allocator, scheme, reason);
        FencedException refusal = assertThrows(
                FencedException.class, () -> allocator.generator(scheme).next());
        assertEquals(reason, refusal.reason());
        System.out.println(refusal.getMessage());
        return String.valueOf(refusal.getMessage());
    }

    private static String digest(String credentials) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-1").digest(credentials.getBytes(StandardCharsets.UTF_8));
        return "admin:" + Base64.getEncoder().encodeToString(hash);
    }
}
