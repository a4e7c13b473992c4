package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Replicas of this version on nodes of the next and of an earlier one, in a real ZooKeeper. The test writes what those would. */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("waits for sessions to end and floors to pass; FencingIT has each way to lose a slot")
class VersionsIT {
    /** No test waits for its end, and none expects that a replica that gets little of a processor lives through its end. */
    private static final Duration SESSION = Duration.ofSeconds(20);

    private static final SnoScheme SNO = new SnoScheme(0, 1, 2);
    private static final SnoScheme OTHER = new SnoScheme(0, 1, 4);
    private static final String FIELDS = "\"colour\":{\"of\":[\"money\"]},\"none\":null";

    @AutoClose
    private static final ZooKeeperProcesses ZOOKEEPER = ZooKeeperProcesses.alone();

    private final DuplicateChecker checker = new DuplicateChecker();
    private final TestReplicas replicas = TestReplicas.of(ZOOKEEPER.connectString(), SESSION);

    @AutoClose
    private final Admin admin = Admin.of(ZOOKEEPER.connectString());

    @AfterEach
    void requireNoDuplicates() {
        assertTrue(checker.seen() > 0);
        checker.requireNone();
    }

    private Caller calling(IdAllocator allocator) {
        await().until(() -> allocator.status(SNO).active());
        Caller caller = Caller.of(allocator.sno(), checker);
        await().until(caller::issuing);
        return caller;
    }

    private static HeldSlot held(IdAllocator allocator) {
        return allocator.status(SNO).slot().orElseThrow();
    }

    private String layout() {
        return replicas.tree().layout(SNO.pool().orElseThrow());
    }

    private static String record(HeldSlot held) {
        return held.path().replace("/leases/", "/records/");
    }

    @Test
    void shouldKeepWhatTheNextVersionWrote() {
        try (IdAllocator one = replicas.connect(SNO);
                Caller caller = calling(one)) {
            IdAllocator two = replicas.connect(SNO);
            calling(two).close();
            String record = record(held(two));
            two.close();
            admin.write(record, admin.read(record).replace("{\"version\":2,", "{\"version\":3," + FIELDS + ","));
            IdAllocator third = replicas.connect(SNO);
            calling(third).close();
            assertEquals(record, record(held(third)));
            requireKept(record);
            long ceiling = held(third).ceilingTick();
            await().until(() -> held(third).ceilingTick() > ceiling);
            requireKept(record);
            third.close();
            assertTrue(admin.read(record).contains("\"released\":true"), admin.read(record));
            requireKept(record);
            assertTrue(caller.issuing(), caller::toString);
        }
    }

    private void requireKept(String record) {
        String payload = admin.read(record);
        assertTrue(
                payload.startsWith("{\"version\":2,") && payload.endsWith("," + FIELDS + ",\"readableFrom\":1}"),
                payload);
    }

    /** Whoever holds a slot goes on until its generation ends, as the next version has to see to. */
    @Test
    void shouldLeaveALayoutAloneThatOnlyTheNextVersionUnderstands() {
        try (IdAllocator holder = replicas.connect(SNO);
                Caller caller = calling(holder)) {
            String before = admin.read(layout());
            String later = before.replace("{\"version\":1,", "{\"version\":3,");
            admin.write(layout(), later);
            try (IdAllocator late = replicas.connect(SNO)) {
                await().until(() -> reason(late).equals(Optional.of(FenceReason.NEWER_VERSION)));
                requireRefused(() -> FenceRestore.run(replicas.settings(SNO), replicas.promised()));
                requireRefused(() -> Relayout.run(replicas.settings(OTHER), OTHER, true));
                assertEquals(
                        List.of("newer-version"),
                        Doctor.examine(replicas.settings(SNO)).stream()
                                .filter(check -> check.name().equals(SNO.name()))
                                .map(Check::reason)
                                .toList());
                assertEquals(later, admin.read(layout()));
                assertTrue(caller.issuing(), caller::toString);
                admin.write(layout(), before);
                calling(late).close();
            }
        }
    }

    private static Optional<FenceReason> reason(IdAllocator allocator) {
        return allocator.status(SNO).fenced().map(fenced -> fenced.reason());
    }

    private void requireRefused(Runnable command) {
        String why = String.valueOf(
                assertThrows(UnreachableException.class, command::run).getMessage());
        assertEquals(layout() + " can be understood from shape version 3 on; this software knows shape version 2", why);
    }

    @Test
    void shouldGoOnInARootWithoutVersions() {
        IdAllocator before = replicas.connect(SNO);
        calling(before).close();
        HeldSlot left = held(before);
        before.close();
        for (String path : List.of(replicas.tree().meta(), layout(), record(left))) {
            admin.write(path, admin.read(path).replaceFirst("\"version\":[12],", ""));
        }
        try (IdAllocator one = replicas.connect(SNO);
                IdAllocator two = replicas.connect(SNO)) {
            calling(one).close();
            calling(two).close();
            assertTrue(admin.read(record(left)).startsWith("{\"version\":2,"), admin.read(record(left)));
        }
    }
}
