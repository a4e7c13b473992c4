package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Answers many times as large as the heap. {@code bench.jar batches} asks for a hundred million IDs of such a process.
 */
@ProofOnly("millions of IDs from a process of its own")
final class SmallHeapIT {
    private static final int COUNT = 20_000_000;
    private static final String SETTINGS = """
            zookeeper:
              embedded:
                enabled: true
                dataDir: %s
            schemes:
              sno:
                shards: 1
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** Collected, the smallest of these answers would fill a heap of 64 MiB five times. */
    @ParameterizedTest
    @CsvSource({"text/plain, 17, 0", "application/x-ndjson, 19, 0", "application/json, 19, 42"})
    void shouldServeMoreThanItsHeapHolds(String accept, long bytesAnId, long bytesAround)
            throws IOException, InterruptedException {
        String settings = SETTINGS.formatted(directory.resolve("data"));
        try (ReplicaProcess replica = ReplicaProcess.start(directory, "small", settings, List.of("-Xmx64m"))
                .awaitReady()) {
            assertEquals(COUNT * bytesAnId + bytesAround, bytes(replica, accept));
        }
    }

    private static long bytes(ReplicaProcess replica, String accept) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(replica.uri("/ids/sno?count=" + COUNT))
                .header("Accept", accept)
                .build();
        try (InputStream body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofInputStream())
                .body()) {
            return body.transferTo(OutputStream.nullOutputStream()); // throws when the answer is cut off
        }
    }
}
