package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Connect strings that end in a path, on a real ZooKeeper. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ProofOnly("whoever connects by the product's own deadlines needs a processor within seconds")
final class ChrootTest {
    private static final Scheme<?> EIGHTBYTE = new EightByteScheme(3);

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    private static AllocatorSettings settings(String chroot, String root, String name) {
        ZooKeeperSettings zookeeper = ZooKeeperSettings.of(SERVER.connect() + chroot)
                .withRoot(root)
                .withAuth(List.of("digest:replica:tell-nobody"));
        return AllocatorSettings.of(List.of(EIGHTBYTE), zookeeper).withReplica(new Replica(name, "host", 1, ""));
    }

    /** What is one node is one slot, by whatever path. */
    @Test
    void shouldShareSlotsThatAreReachedThroughDifferentChroots() throws Exception {
        try (Admin admin = Admin.of(SERVER.connect())) {
            admin.create("/one/two", "");
        }
        AllocatorSettings deep = settings("/one/two", "/ids", "a");
        List<AllocatorSettings> all =
                List.of(deep, settings("/one", "/two/ids", "b"), settings("", "/one/two/ids", "c"));
        assertTrue(FirstStart.withoutWaiting(deep));
        assertFalse(FirstStart.withoutWaiting(all.get(1)));
        try (IdAllocator a = IdAllocator.connect(all.get(0));
                IdAllocator b = IdAllocator.connect(all.get(1));
                IdAllocator c = IdAllocator.connect(all.get(2))) {
            for (IdAllocator replica : List.of(a, b, c)) {
                replica.awaitReady(HangGuard.TIME);
            }
            for (IdAllocator replica : List.of(a, b, c)) {
                assertEquals(
                        List.of("a", "b", "c"),
                        replica.cluster().leases().stream()
                                .map(LeaseView::lease)
                                .map(lease -> lease == null ? "nobody" : lease.instance())
                                .sorted()
                                .toList());
            }
            assertTrue(Doctor.examine(all.get(1)).stream().noneMatch(Check::failed));
        }
    }

    /** Below a path that is not there, nothing is; so who looks would be told that nobody has ever used a slot. */
    @Test
    void shouldSayThatThePathIsMissing() throws Exception {
        AllocatorSettings missing = settings("/mis/spelt", "/ids", "a");
        List<Executable> commands = List.of(
                () -> ClusterView.connect(missing).close(),
                () -> FirstStart.withoutWaiting(missing),
                () -> Relayout.run(missing, EIGHTBYTE, false));
        for (Executable command : commands) {
            UnreachableException refused = assertThrows(UnreachableException.class, command);
            assertEquals(
                    "the path /mis/spelt of zookeeper.connect does not exist: create it, or correct it",
                    refused.getMessage());
            assertFalse(refused.unanswered());
        }
        try (Admin admin = Admin.of(SERVER.connect())) {
            assertFalse(admin.exists("/mis"));
        }
    }

    /** Who owns a path may let others make nodes there, and read nothing. */
    @Test
    void shouldServeBelowAPathThatCannotBeRead() throws Exception {
        try (Admin admin = Admin.of(SERVER.connect())) {
            admin.create("/closed", "");
            admin.curator()
                    .setACL()
                    .withACL(List.of(new ACL(ZooDefs.Perms.CREATE, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                    .forPath("/closed");
        }
        AllocatorSettings settings = settings("/closed", "/ids", "a");
        assertTrue(FirstStart.withoutWaiting(settings));
        try (IdAllocator replica = IdAllocator.connect(settings)) {
            replica.awaitReady(HangGuard.TIME);
        }
        assertEquals(
                List.of(),
                Doctor.examine(settings).stream().filter(Check::failed).toList());
    }
}
