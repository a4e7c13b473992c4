package org.idallocator.browser;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * Two replicas on the ZooKeeper of the first one, for all tests of this JVM. Each starts when a test first needs it.
 * The first one holds every slot of sno, so the second is fenced there. The replicas end with this JVM.
 */
final class Fleet {
    static final int SNO_SLOTS = 16;
    static final int UID60_SLOTS = 512;
    static final int HELD_BY_FIRST = 24;

    private static final List<String> OPTIONS = List.of("-Xmx256m");
    /**
     * Only the proof waits until one has ended. Slots are kept for longer on a machine that has no time for the
     * replicas.
     */
    private static final String SESSION = Proof.size("60s", "10s");

    private static final String SETTINGS = """
            tellWhereabouts: true
            zookeeper:
              sessionTimeout: %1$s
              embedded: {enabled: true, dataDir: '%2$s'}
            window: %1$s
            schemes:
              sno: {partitions: 16, shards: 1, leases: %3$d}
              muid: {}
              eightbyte: {}
              uid60: {leases: %4$d}
              gid: {}
            """;

    private static final Path DIRECTORY = directory();

    private Fleet() {}

    private static final class First {
        static final ReplicaProcess REPLICA =
                start("ids-1", SNO_SLOTS, HELD_BY_FIRST).awaitReady();
    }

    private static final class Second {
        static final ReplicaProcess REPLICA = startSecond();
    }

    private static ReplicaProcess startSecond() {
        first();
        ReplicaProcess replica = start("ids-2", 1, 1);
        await(replica + " has its slots of all but sno")
                .until(() -> Stream.of("muid", "eightbyte", "uid60")
                        .allMatch(scheme -> replica.status("/health-check?name=" + scheme) == 200));
        return replica;
    }

    /** The replica where all schemes serve. */
    static ReplicaProcess first() {
        return First.REPLICA;
    }

    /** The replica that found no free slot of sno. */
    static ReplicaProcess second() {
        return Second.REPLICA;
    }

    private static ReplicaProcess start(String name, int snos, int uids) {
        return start(name, SETTINGS.formatted(SESSION, DIRECTORY.resolve("data"), snos, uids));
    }

    /** One more replica, with settings of its own. It ends with this JVM, or when it is closed. */
    static ReplicaProcess start(String name, String settings) {
        return start("", name, settings);
    }

    /** The same for a replica of a group, where names may be those of other groups. */
    static ReplicaProcess start(String group, String name, String settings) {
        Path directory = assertDoesNotThrow(() -> Files.createDirectories(DIRECTORY.resolve(group)));
        ReplicaProcess replica = ReplicaProcess.start(directory, name, settings, OPTIONS);
        Runtime.getRuntime().addShutdownHook(new Thread(replica::close)); // and with it what is noted of it
        return replica;
    }

    /** Where the ZooKeeper of the first one is, as clients write it. */
    static String zooKeeper() {
        return Answers.json(Answers.text("GET", first().adminUri("/leases")))
                .path("zookeeper")
                .asText();
    }

    private static Path directory() {
        return assertDoesNotThrow(
                () -> Files.createTempDirectory(Path.of("target"), "fleet").toRealPath());
    }
}
