package org.idallocator.faults.compose;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.CookieManager;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.zk.testing.ComposedCluster;
import org.idallocator.zk.testing.Docker;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What docs/deploying.md promises of the cluster of docker-compose.yml, whose replicas are one service behind HAProxy:
 * its commands that scale the cluster and replace its replicas are run as they stand there, while clients ask. The
 * cluster is one for all tests; the last one stops its replicas. {@code mvn -B verify -Pcompose} runs this and no other
 * test.
 */
@TestMethodOrder(OrderAnnotation.class)
class ComposeIT {
    private static final Path GUIDE = Path.of("..", "..", "docs", "deploying.md");
    private static final Pattern SECTION = Pattern.compile("(?ms)^## With docker compose$(.*?)^## ");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
    private static final String REPLICA = "replica";
    private static final int FEW = 3;
    private static final int MANY = 8;
    private static final int STREAMS = 2 * FEW;
    private static final int TERMINATED = 128 + 15;
    private static final double ALL = 1;
    private static final double ALMOST_ALL = 0.9999;
    /** Within which time the load balancer ends a connection that asks for nothing. */
    private static final Duration ENDED = Duration.ofMinutes(1);

    /** As long as a session, after which whoever hangs on something that has gone has noticed. */
    private static final Duration SESSION = Duration.ofSeconds(10);

    private static final Receipts RECEIPTS = new Receipts();

    @AutoClose
    @SuppressWarnings("NullAway.Init")
    private static ComposedCluster cluster;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI address = cluster.address();

    @BeforeAll
    static void start() {
        Docker.whyNot().ifPresent(reason -> assumeTrue(false, "no cluster: " + reason));
        long began = System.nanoTime();
        cluster = ComposedCluster.started();
        System.out.println("compose: built and started in " + secondsSince(began) + " s");
    }

    private static long secondsSince(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanos);
    }

    /**
     * Blocks of commands, in their order: a start; more replicas and fewer again, a line each; and a replacement of
     * all.
     */
    private static List<String> documented() throws IOException {
        String section = SECTION.matcher(Files.readString(GUIDE))
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow();
        return BLOCK.matcher(section).results().map(block -> block.group(1)).toList();
    }

    private Traffic traffic(String what) {
        return new Traffic(what, address, RECEIPTS);
    }

    @Test
    void shouldFailNoRequestWhenThereAreMoreReplicasAndFewerAgain() throws IOException {
        List<String> lines = documented().get(1).lines().toList();
        assertEquals(2, lines.size(), lines::toString);
        try (Traffic traffic = traffic(FEW + ", " + MANY + " and " + FEW + " replicas")) {
            cluster.run(lines.get(0));
            assertEquals(MANY, cluster.containers(REPLICA).size());
            awaitBalanced(MANY);

            cluster.run(lines.get(1));
            assertEquals(FEW, cluster.containers(REPLICA).size());
            traffic.awaitServed(Duration.ZERO);

            traffic.finish();
            traffic.requireServed(ALL);
        }
    }

    @Test
    void shouldServeWhenAReplicaIsKilled() {
        try (Traffic traffic = traffic("kill -9 of a replica")) {
            String killed = cluster.containers(REPLICA).get(0);
            cluster.run("docker kill " + killed);
            traffic.awaitServed(SESSION);
            cluster.run("docker start " + killed);
            awaitBalanced(FEW);

            traffic.finish();
            traffic.requireServed(ALMOST_ALL);
        }
    }

    @Test
    void shouldServeWhenTheLeaderOfTheZooKeepersIsKilled() {
        try (Traffic traffic = traffic("kill -9 of ZooKeeper's leader")) {
            String leader = leader();
            cluster.run("docker compose kill " + leader);
            traffic.awaitServed(SESSION);
            cluster.run("docker compose up -d --wait --no-recreate " + leader);

            traffic.finish();
            traffic.requireServed(ALMOST_ALL);
        }
    }

    private static String leader() {
        String srvr = "exec 3<>/dev/tcp/127.0.0.1/2181 && echo srvr >&3 && cat <&3";
        return List.of("zookeeper-1", "zookeeper-2", "zookeeper-3").stream()
                .filter(name -> cluster.run("docker compose exec -T " + name + " bash -c '" + srvr + "'")
                        .contains("Mode: leader"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldServeWhenAllReplicasAreReplaced() throws IOException {
        Set<String> before = new TreeSet<>(cluster.containers(REPLICA));
        try (Traffic traffic = traffic("all replicas replaced, one after the other")) {
            cluster.run(documented().get(2));

            traffic.finish();
            traffic.requireServed(ALMOST_ALL);
        }
        Set<String> after = new TreeSet<>(cluster.containers(REPLICA));
        assertEquals(FEW, after.size());
        assertTrue(after.stream().noneMatch(before::contains), () -> before + " and " + after);
    }

    /** A second holds 1,024 of them, and nothing is sent before the last one is drawn. */
    @Test
    void shouldAnswerABatchThatTakesManySeconds() throws IOException, InterruptedException {
        List<String> ids = get(http, "/ids/uid60?count=8000").lines().toList();

        assertEquals(8_000, Set.copyOf(ids).size());
    }

    /** Connections that ask for nothing would else keep everybody out. */
    @Test
    void shouldEndAConnectionThatAsksForNothing() throws IOException {
        try (Socket silent = new Socket(address.getHost(), address.getPort())) {
            silent.setSoTimeout((int) ENDED.toMillis());

            String said = new String(silent.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(said.isEmpty() || said.startsWith("HTTP/1.1 408"), said);
        }
    }

    /** A browser keeps cookies, and sees one replica. */
    @Test
    void shouldShowABrowserOneReplica() throws IOException, InterruptedException {
        HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 2 * FEW; i++) {
            seen.add(json(get(browser, "/console/state"))
                    .findPath("held")
                    .path(0)
                    .path("slot")
                    .asText());
        }

        assertEquals(1, seen.size(), seen::toString);
        assertFalse(seen.contains(""), "no slot is shown");
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void shouldGiveAllSlotsBackWhenStoppedWithOpenStreams() throws IOException, InterruptedException {
        List<String> replicas = cluster.containers(REPLICA);
        List<OpenStream> streams = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) { // in turn, so that each replica has some
            streams.add(OpenStream.of(address));
        }

        long began = System.nanoTime();
        cluster.run("docker compose stop " + REPLICA);
        System.out.println("compose: stopped with open streams in " + secondsSince(began) + " s");
        streams.forEach(OpenStream::hurry);

        for (String replica : replicas) {
            assertEquals(TERMINATED, Integer.parseInt(cluster.inspect(replica, "{{.State.ExitCode}}")));
        }
        assertEquals(0, held());
        for (OpenStream stream : streams) {
            assertTrue(stream.cutOff()
                    .orTimeout(HangGuard.MINUTES, TimeUnit.MINUTES)
                    .join());
            stream.close();
        }
    }

    /** How many slots are held, as ZooKeeper has it. */
    private static int held() throws IOException {
        String printed = cluster.run(
                "docker compose run --rm --no-deps -T " + REPLICA + " leases list --json /config/cluster.yml");
        JsonNode pools = json(printed.lines()
                        .filter(line -> line.startsWith("{"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(printed)))
                .path("pools");
        assertEquals(Schemes.leased(Schemes.all()).size(), pools.size(), printed);
        int held = 0;
        for (JsonNode pool : pools) {
            held += pool.path("held").asInt();
        }
        return held;
    }

    /** Waits until the load balancer has asked so many replicas: each has slots of its own, which IDs tell. */
    private void awaitBalanced(int replicas) {
        Set<Long> slots = new HashSet<>();
        await(replicas + " replicas are asked")
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    slots.add(slot(Schemes.all().get(0), get(http, "/ids/sno").strip())
                            .orElseThrow());
                    return slots.size() >= replicas;
                });
    }

    private static <T extends Id> OptionalLong slot(Scheme<T> scheme, String id) {
        return scheme.slotOf(scheme.type().parse().apply(id));
    }

    private String get(HttpClient client, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(address.resolve(path)).build(), BodyHandlers.ofString())
                .body();
    }

    private static JsonNode json(String text) throws IOException {
        return new JsonMapper().readTree(text);
    }
}
