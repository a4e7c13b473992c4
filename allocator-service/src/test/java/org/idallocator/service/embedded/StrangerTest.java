package org.idallocator.service.embedded;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that has the port of a directory's own one, while a replica looks for that. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StrangerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Scheme<?> UID60 = new Uid60Scheme(Duration.ofHours(1));
    private static final AllocatorSettings SETTINGS = AllocatorSettings.of(
                    List.of(UID60), ZooKeeperSettings.of("localhost"))
            .withWindow(Duration.ofSeconds(2))
            .withMaxClockSkew(Duration.ofMillis(500))
            .withZooKeeper(ZooKeeperSettings.of("localhost").withSessionTimeout(Duration.ofSeconds(2)));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Integer> halted = new CopyOnWriteArrayList<>();

    private EmbeddedZooKeeper start(String name, int port) {
        return EmbeddedZooKeeper.start(
                DirectoryLock.on(directory.resolve(name)),
                port,
                connect -> FirstStart.withoutWaiting(SETTINGS.withConnect(connect)),
                halted::add);
    }

    private static AllocatorSettings settings(EmbeddedZooKeeper own) {
        return SETTINGS.onEmbedded(own.connect(), own.identity());
    }

    private static int port(EmbeddedZooKeeper server) {
        return Integer.parseInt(server.connect().replaceFirst(".*:", ""));
    }

    private static Optional<FenceReason> reason(IdAllocator allocator) {
        return allocator.status(UID60).fenced().map(FencedException::reason);
    }

    private static List<String> nodes(String connect, String path) throws Exception {
        ZooKeeper client = new ZooKeeper(connect, 10_000, event -> {});
        try {
            await().atMost(PATIENCE).until(() -> client.getState().isConnected());
            return client.getChildren(path, false).stream().sorted().toList();
        } finally {
            client.close();
        }
    }

    @Test
    void shouldLeaveAnotherDirectorysZooKeeperAloneAndGoOnWithItsOwn() throws Exception {
        EmbeddedZooKeeper own = start("own", 0);
        int port = port(own);
        try (IdAllocator replica = IdAllocator.connect(settings(own))) {
            replica.awaitReady(PATIENCE);
            own.close();
            try (EmbeddedZooKeeper stranger = start("strangers", port)) {
                await().atMost(PATIENCE).until(() -> reason(replica).equals(Optional.of(FenceReason.UNREACHABLE)));
                await().during(Duration.ofSeconds(1))
                        .atMost(PATIENCE)
                        .until(() -> reason(replica).isPresent());

                assertEquals(List.of("meta", "uid60"), nodes(stranger.connect(), "/id-allocator"));
            }
            try (EmbeddedZooKeeper again = start("own", port)) {
                replica.awaitReady(PATIENCE);
                replica.uid60().next();
                assertEquals(own.identity(), again.identity());
            }
        }
    }

    /** A ZooKeeper of another program knows nothing of directories. */
    @Test
    void shouldLeaveAnotherProgramsZooKeeperAlone() throws Exception {
        EmbeddedZooKeeper own = start("own", 0);
        own.close();
        ServerCnxnFactory stranger = ServerCnxnFactory.createFactory(port(own), 10);
        try {
            Path data = directory.resolve("strangers");
            stranger.startup(new ZooKeeperServer(data.toFile(), data.toFile(), 500));
            try (IdAllocator replica = IdAllocator.connect(settings(own))) {
                await().atMost(PATIENCE).until(() -> reason(replica).equals(Optional.of(FenceReason.UNREACHABLE)));
                assertEquals(List.of("zookeeper"), nodes(own.connect(), "/"));
            }
        } finally {
            stranger.shutdown();
        }
    }
}
