package org.idallocator.service.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many nodes replicas make in a real ZooKeeper, and how large they are: as docs/deploying.md has it. */
class StoredNodesTest {
    private static final String ROOT = "/id-allocator";
    private static final Pattern MEMBER = Pattern.compile(ROOT + "/members/[^/]+");
    private static final Pattern LEASE = Pattern.compile(ROOT + "/.+/leases/[^/]+");
    private static final Pattern RECORD = Pattern.compile(ROOT + "/.+/records/[^/]+");

    /** A name as long as a pod's. */
    private static final String POD = "id-allocator-5d59d67564-x7k2p";

    /** The page says 270. What differs is the length of this machine's name, and how many digits numbers have. */
    private static final int LEAST_BYTES = 200;

    private static final int MOST_BYTES = 330;

    private static final int MOST_BYTES_WHEN_GIVEN_BACK = 500;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("..", "docs", "deploying.md"));
    }

    @Test
    @SuppressWarnings("try") // the replicas need only be there
    void shouldStoreWhatThePageSays() throws Exception {
        long pools = Schemes.leased(Schemes.all()).size();
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                Admin admin = Admin.of(zookeeper.connect())) {
            FirstStart.withoutWaiting(AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(zookeeper.connect())));
            try (RunningService service = start(zookeeper, 1);
                    RunningService second = start(zookeeper, 2)) {
                Map<String, Integer> nodes = bytes(admin);
                long own = count(nodes, MEMBER) + count(nodes, LEASE);
                assertEquals(2, count(nodes, MEMBER), nodes::toString);
                assertEquals(2 * pools, count(nodes, LEASE), nodes::toString);
                assertEquals(2 * pools, count(nodes, RECORD), nodes::toString);
                assertSaid("| a root, once | " + (nodes.size() - own - count(nodes, RECORD)) + ": ");
                assertSaid("so " + own / 2 + "; more with `leases` | 270, with names as long as a pod's |");
                nodes.forEach((path, bytes) -> assertTrue(
                        isOnce(path) || (bytes >= LEAST_BYTES && bytes <= MOST_BYTES), () -> path + " has " + bytes));
            }
            Map<String, Integer> kept = bytes(admin);

            assertEquals(2 * pools, count(kept, RECORD), kept::toString);
            assertSaid("| 270; one of `sno` that was given back, under " + MOST_BYTES_WHEN_GIVEN_BACK + " |");
            kept.forEach((path, bytes) -> assertTrue(bytes < MOST_BYTES_WHEN_GIVEN_BACK, () -> path + " has " + bytes));
        }
    }

    private static RunningService start(OwnZooKeeper zookeeper, int number) {
        return RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.enabled=false",
                        "zookeeper.connect=" + zookeeper.connect(),
                        "instance=" + POD.substring(0, POD.length() - 1) + number,
                        "url=http://10.1.2.3:8080")
                .awaitReady();
    }

    /** Whether a node is there for the root or a pool, however many replicas there are. */
    private static boolean isOnce(String path) {
        return !MEMBER.matcher(path).matches()
                && !LEASE.matcher(path).matches()
                && !RECORD.matcher(path).matches();
    }

    private static long count(Map<String, Integer> nodes, Pattern kind) {
        return nodes.keySet().stream()
                .filter(path -> kind.matcher(path).matches())
                .count();
    }

    private void assertSaid(String words) {
        assertTrue(page.contains(words), words);
    }

    /** The root and all below it, each with how many bytes it holds. */
    private static Map<String, Integer> bytes(Admin admin) throws Exception {
        Map<String, Integer> found = new TreeMap<>();
        add(admin, ROOT, found);
        return found;
    }

    private static void add(Admin admin, String path, Map<String, Integer> found) throws Exception {
        found.put(path, admin.read(path).getBytes(StandardCharsets.UTF_8).length);
        for (String child : admin.curator().getChildren().forPath(path)) {
            add(admin, path + "/" + child, found);
        }
    }
}
