package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitFenced;
import static org.idallocator.ensembles.TestReplicas.calling;
import static org.idallocator.ensembles.TestReplicas.check;
import static org.idallocator.ensembles.TestReplicas.held;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
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

    private String layout() {
        return replicas.tree().layout(SNO.pool().orElseThrow());
    }

    private static String record(HeldSlot held) {
        return held.path().replace("/leases/", "/records/");
    }

    @Test
    void shouldKeepWhatTheNextVersionWrote() {
        try (IdAllocator one = replicas.connect(SNO);
                Caller caller = calling(one, SNO, checker)) {
            IdAllocator two = replicas.connect(SNO);
            calling(two, SNO, checker).close();
            String record = record(held(two, SNO));
            two.close();
            admin.write(record, admin.read(record).replace("{\"version\":2,", "{\"version\":3," + FIELDS + ","));
            IdAllocator third = replicas.connect(SNO);
            calling(third, SNO, checker).close();
            assertEquals(record, record(held(third, SNO)));
            requireKept(record);
            long ceiling = held(third, SNO).ceilingTick();
            await().until(() -> held(third, SNO).ceilingTick() > ceiling);
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
                Caller caller = calling(holder, SNO, checker)) {
            String before = admin.read(layout());
            String later = before.replace("{\"version\":1,", "{\"version\":3,");
            admin.write(layout(), later);
            try (IdAllocator late = replicas.connect(SNO)) {
                awaitFenced(late, SNO, FenceReason.NEWER_VERSION);
                requireRefused(() -> FenceRestore.run(replicas.settings(SNO), replicas.promised()));
                requireRefused(() -> Relayout.run(replicas.settings(OTHER), OTHER, true));
                assertEquals(
                        "newer-version",
                        check(Doctor.examine(replicas.settings(SNO)), SNO.name())
                                .reason());
                assertEquals(later, admin.read(layout()));
                assertTrue(caller.issuing(), caller::toString);
                admin.write(layout(), before);
                calling(late, SNO, checker).close();
            }
        }
    }

    private void requireRefused(Runnable command) {
        String why = String.valueOf(
                assertThrows(UnreachableException.class, command::run).getMessage());
        assertEquals(layout() + " can be understood from shape version 3 on; this software knows shape version 2", why);
    }

    @Test
    void shouldGoOnInARootWithoutVersions() {
        IdAllocator before = replicas.connect(SNO);
        calling(before, SNO, checker).close();
        HeldSlot left = held(before, SNO);
        before.close();
        for (String path : List.of(replicas.tree().meta(), layout(), record(left))) {
            admin.write(path, admin.read(path).replaceFirst("\"version\":[12],", ""));
        }
        try (IdAllocator one = replicas.connect(SNO);
                IdAllocator two = replicas.connect(SNO)) {
            calling(one, SNO, checker).close();
            calling(two, SNO, checker).close();
            assertTrue(admin.read(record(left)).startsWith("{\"version\":2,"), admin.read(record(left)));
        }
    }
}
