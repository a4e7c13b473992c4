package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica with too little memory for what is asked of it ends, to be started again, and does not stay up without answering. */
@ProofOnly("keeps both cores busy until memory is used up")
class OutOfMemoryIT {
    private static final int STATUS = 3;
    private static final int CLIENTS = 128;
    private static final int BATCH = 10_000;

    @TempDir
    private Path directory;

    @Test
    void shouldEndWhenMemoryIsUsedUp() {
        String settings = "zookeeper: {embedded: {enabled: true, dataDir: '" + directory.resolve("data") + "'}}";
        try (ReplicaProcess replica = ReplicaProcess.start(
                        directory, "replica", settings, List.of("-Xmx26m", "-XX:+ExitOnOutOfMemoryError"));
                Clients clients = Clients.of(replica)) {
            Evidence<?> evidence = Evidence.of(new SnoScheme(0, 256, 4));
            IntStream.range(0, CLIENTS).forEach(i -> clients.start(evidence, BATCH));

            assertEquals(STATUS, replica.process().awaitEnd(HangGuard.TIME.toSeconds()));
            String said = replica.process().tail();
            assertTrue(said.contains("OutOfMemoryError"), said);
            evidence.checker().requireNone();
        }
    }
}
