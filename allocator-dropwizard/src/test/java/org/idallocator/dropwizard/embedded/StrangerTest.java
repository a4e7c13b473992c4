package org.idallocator.dropwizard.embedded;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.process.ExitStatus;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper that has the port of a directory's own one, while a replica looks for that. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("try") // closing a client may be interrupted
class StrangerTest {
    private static final Scheme<?> UID60 = new Uid60Scheme(Duration.ofHours(1));
    private static final AllocatorSettings SETTINGS = AllocatorSettings.of(
                    List.of(UID60), ZooKeeperSettings.of("localhost"))
            .withWindow(Duration.ofSeconds(2))
            .withMaxClockSkew(Duration.ofMillis(500))
            .withZooKeeper(ZooKeeperSettings.of("localhost").withSessionTimeout(Duration.ofSeconds(2)));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<ExitStatus> halted = new CopyOnWriteArrayList<>();

    private DirectoryUse start(String name, int port) throws IOException {
        DataDirectory data = new DataDirectory(directory.resolve(name));
        boolean first = !Files.exists(data.path());
        if (port != 0) {
            OwnZooKeeper.servedLast(data, port);
        }
        DirectoryUse started = DirectoryUse.openAsOwner(
                        DirectoryLock.tryLock(data).orElseThrow(), made -> {}, halted::add)
                .startWatching();
        if (first) {
            FirstStart.withoutWaiting(SETTINGS.withZooKeeper(
                    SETTINGS.zookeeper().withConnect(started.address().connect())));
        }
        return started;
    }

    private static AllocatorSettings settings(DirectoryUse own) {
        return SETTINGS.onEmbedded(own.address().connect(), own.address().identity());
    }

    private static int port(DirectoryUse server) {
        return server.address().port();
    }

    private static Optional<FenceReason> reason(IdAllocator allocator) {
        return allocator.status(UID60).fenced().map(FencedException::reason);
    }

    private static List<String> nodes(String connect, String path) throws Exception {
        try (ZooKeeper client = new ZooKeeper(connect, 60_000, event -> {})) {
            await().until(() -> client.getState().isConnected());
            return client.getChildren(path, false).stream().sorted().toList();
        }
    }

    @Test
    @ProofOnly("waits for floors and sessions")
    void shouldLeaveAnotherDirectorysZooKeeperAloneAndGoOnWithItsOwn() throws Exception {
        DirectoryUse own = start("own", 0);
        int port = port(own);
        try (IdAllocator replica = IdAllocator.connect(settings(own))) {
            replica.awaitReady(HangGuard.TIME);
            own.close();
            try (DirectoryUse stranger = start("strangers", port)) {
                await().until(() -> reason(replica).equals(Optional.of(FenceReason.UNREACHABLE)));
                await().during(Duration.ofSeconds(1))
                        .until(() -> reason(replica).isPresent());

                assertEquals(List.of("meta", "uid60"), nodes(stranger.address().connect(), "/id-allocator"));
            }
            try (DirectoryUse again = start("own", port)) {
                replica.awaitReady(HangGuard.TIME);
                await().ignoreException(FencedException.class)
                        .until(() -> replica.uid60().next(), Objects::nonNull);
                assertEquals(own.address().identity(), again.address().identity());
            }
        }
    }

    /** A ZooKeeper of another program knows nothing of directories. */
    @Test
    void shouldLeaveAnotherProgramsZooKeeperAlone() throws Exception {
        DirectoryUse own = start("own", 0);
        own.close();
        ServerCnxnFactory stranger = ServerCnxnFactory.createFactory(port(own), 10);
        try {
            Path data = directory.resolve("strangers");
            stranger.startup(new ZooKeeperServer(data.toFile(), data.toFile(), 500));
            try (IdAllocator replica = IdAllocator.connect(settings(own))) {
                await().until(() -> reason(replica).equals(Optional.of(FenceReason.UNREACHABLE)));
                assertEquals(List.of("zookeeper"), nodes(own.address().connect(), "/"));
            }
        } finally {
            stranger.shutdown();
        }
    }
}
