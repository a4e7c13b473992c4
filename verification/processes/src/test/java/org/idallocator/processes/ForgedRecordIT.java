package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ZooKeepers;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger who may write says, in the name of a holder that is paused, that the holder's slot was released, and takes its lease
 * away. Another replica claims the slot, and both serve from the moment at which the holder goes on until it hears of that. How many
 * IDs come twice meanwhile is printed: nothing can keep apart what strangers may write.
 */
@ProofOnly("processes of its own, and two cores that nobody else uses")
final class ForgedRecordIT {
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final int COUNT = 10_000;
    private static final SnoScheme SNO = new SnoScheme(0, 1, 1);

    private final Evidence<Sno> evidence = Evidence.of(SNO);
    private final List<ReplicaProcess> started = new ArrayList<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @AfterEach
    void end() {
        started.forEach(ReplicaProcess::close);
    }

    @Test
    void shouldFenceAsSoonAsTheHolderGoesOn() throws Exception {
        try (ZooKeepers zookeeper = ZooKeepers.alone();
                Admin stranger = Admin.of(zookeeper.connectString())) {
            FirstStart.withoutWaiting(
                    AllocatorSettings.of(List.of(SNO), ZooKeeperSettings.of(zookeeper.connectString())));
            ReplicaProcess holder = start(zookeeper, "holder");
            await().until(() -> holder.status("/ids/sno") == 200);
            ReplicaProcess next = start(zookeeper, "next");
            await().until(() -> next.status("/ids/sno") == 503);
            long fencedMillis;
            try (Clients ofHolder = Clients.of(holder);
                    Clients ofNext = Clients.of(next)) {
                for (Clients clients : List.of(ofHolder, ofNext, ofHolder, ofNext)) {
                    clients.start(evidence, COUNT);
                }
                await().until(() -> evidence.answersOf(holder) > 200);
                holder.process().pause();
                long paused = System.nanoTime();
                forge(stranger);
                await().until(() -> evidence.answersOf(next) > 100);
                await().until(() -> System.nanoTime() - paused > PAUSE.toNanos());
                holder.process().resume();
                long resumed = System.nanoTime();
                await().pollInterval(Duration.ofMillis(1)).until(() -> holder.status("/ids/sno") == 503);
                fencedMillis = (System.nanoTime() - resumed) / 1_000_000;
                long before = evidence.answersOf(next);
                await().until(() -> evidence.answersOf(next) > before + 100);
            }
            System.out.printf(
                    "%d of %d IDs came twice; refused at the latest %d ms after the pause%n",
                    evidence.checker().duplicates(), evidence.checker().seen(), fencedMillis);
            assertTrue(fencedMillis < 1_000, "the next renewal alone would notice as well: " + fencedMillis + " ms");
            assertTrue(
                    holder.process().tail().contains("reason=record-taken"),
                    holder.process().tail());
        }
    }

    private ReplicaProcess start(ZooKeepers zookeeper, String name) {
        String settings = """
                zookeeper: {connect: '%s'}
                schemes: {sno: {partition: 0, partitions: 1, shards: 1}}
                """.formatted(zookeeper.connectString());
        ReplicaProcess replica = ReplicaProcess.start(directory, name, settings, Map.of());
        started.add(replica);
        return replica;
    }

    /** The slot was released a second ago, says the stranger. */
    private static void forge(Admin stranger) {
        Tree tree = new Tree("/id-allocator");
        TickUnit unit = SNO.pool().orElseThrow().unit();
        String name = SNO.pool().orElseThrow().nameOf(0);
        String record = tree.records(SNO.pool().orElseThrow()) + "/" + name;
        String nonce =
                Payloads.read(record, stranger.read(record), SlotRecord.class).nonce();
        long second = unit.ticksIn(Duration.ofSeconds(1));
        SlotRecord forged = SlotRecord.released(unit, unit.tickAt(Clock.system().micros()) - second, nonce);
        stranger.write(record, Json.write(forged));
        stranger.delete(tree.leases(SNO.pool().orElseThrow()) + "/" + name);
    }
}
