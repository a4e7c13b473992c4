package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Lists;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.dropwizard.health.ClusterWatch;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Ports;
import org.idallocator.zk.testing.TcpProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients and operators are told while ZooKeeper answers nobody. */
@ProofOnly("waits through an outage")
class OutageTest {
    /** One after the other. If each waited for ZooKeeper's answer, all would take far longer than allowed. */
    private static final int MANY = 200;

    private static final Duration AT_ONCE = Proof.size(HangGuard.TIME, Duration.ofSeconds(5));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    private static RunningService start(TcpProxy line) {
        return start(line, "4s");
    }

    private static RunningService start(TcpProxy line, String window) {
        return startAnyway(line, window).awaitReady();
    }

    private static RunningService startAnyway(TcpProxy line, String window) {
        return RunningService.start(
                AllocatorApplication.class,
                "zookeeper.embedded.enabled=false",
                "zookeeper.sessionTimeout=4s",
                "window=" + window,
                "maxClockSkew=200ms",
                "tellWhereabouts=true",
                "zookeeper.connect=" + line.address());
    }

    /** Why the holder of an ID is not known; empty where it is, or where nobody holds its slot. */
    private static String unknown(RunningService service) {
        JsonNode said = service.app().json("/ids/sno/9q7qmwq2222dhi22");
        assertEquals("sno", said.path("scheme").asText(), said.toString());
        assertTrue(said.has("holder") && said.path("holder").isNull(), said.toString());
        return said.path("holderUnknown").asText();
    }

    private static void assertAllUnknownAtOnce(RunningService service) {
        assertTimeoutPreemptively(
                AT_ONCE,
                () -> IntStream.range(0, MANY)
                        .forEach(i -> assertFalse(unknown(service).isEmpty())));
    }

    @Test
    void shouldTellUnknownHoldersFromNobodyAtOnce() {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                TcpProxy line = TcpProxy.to(zookeeper.connect(), Duration.ZERO);
                RunningService service = start(line)) {
            await().until(() -> unknown(service).isEmpty());

            line.blackhole();
            await().until(() -> !unknown(service).isEmpty()); // what was asked a moment ago is told for a while
            assertAllUnknownAtOnce(service);

            // later the client itself notices that nothing answers
            await().until(() -> unknown(service).equals("not connected to ZooKeeper"));
            assertAllUnknownAtOnce(service);

            line.heal();
            await().until(() -> unknown(service).isEmpty());
        }
    }

    /** Nothing is reserved by a process that starts now. */
    @Test
    void shouldServeGidsAloneAndSayWhatToDoWhenItStartsWhileZooKeeperIsAway() {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                TcpProxy line = TcpProxy.to(zookeeper.connect(), Duration.ZERO)) {
            line.blackhole();
            try (RunningService service = startAnyway(line, "4s")) {
                await().until(() -> reason(service).equals("unreachable"));
                String remedy = FenceReason.UNREACHABLE.sentence();
                assertEquals(200, service.app().status("/ids/gid"));
                assertEquals(503, service.app().status("/health-check"));
                JsonNode leases = service.admin().json("/healthcheck").path("leases");
                String message = leases.path("message").asText();
                assertFalse(leases.path("healthy").asBoolean(), leases.toString());
                assertTrue(message.startsWith("sno, muid, eightbyte, uid60: " + remedy), message);
                assertTrue(message.endsWith("; only gid is served"), message);
                JsonNode console = service.app().json("/console/state");
                assertTrue(console.path("outage").path("reservedUntil").isEmpty(), console.toString());
                assertTrue(
                        console.path("schemes").findValuesAsText("detail").stream()
                                .anyMatch(detail -> detail.startsWith(remedy)),
                        console.toString());

                line.heal();
                service.awaitReady();
            }
        }
    }

    /** The window is longer than the outage, and callers notice nothing. */
    @Test
    void shouldSayUntilWhenIdsComeWhileZooKeeperIsAway() {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                TcpProxy line = TcpProxy.to(zookeeper.connect(), Duration.ZERO)) {
            promiseNewRoot(zookeeper);
            sayUntilWhenIdsCome(line);
        }
    }

    /** Else the first start of a root waits for as long as a window. */
    private static void promiseNewRoot(OwnZooKeeper zookeeper) {
        ZooKeeperSettings client = ZooKeeperSettings.of(zookeeper.connect()).withSessionTimeout(Duration.ofSeconds(4));
        assertTrue(FirstStart.withoutWaiting(AllocatorSettings.of(Schemes.all(), client)
                .withWindow(Duration.ofSeconds(60))
                .withMaxClockSkew(Duration.ofMillis(200))));
    }

    private static void sayUntilWhenIdsCome(TcpProxy line) {
        try (RunningService service = start(line, "60s")) {
            assertFalse(service.app().json("/ids").has("outage"));
            assertTrue(service.admin().get("/prometheus").body().contains("id_allocator_zookeeper_unreachable 0.0"));

            line.blackhole();
            await().until(() -> service.app().json("/ids").has("outage"));
            JsonNode outage = service.app().json("/ids").path("outage");
            Instant since = Instant.parse(outage.path("since").asText());
            assertEquals(
                    Set.of("sno", "muid", "eightbyte", "uid60"),
                    Set.copyOf(Lists.newArrayList(outage.path("reservedUntil").fieldNames())));
            for (JsonNode until : outage.path("reservedUntil")) {
                Duration lasts = Duration.between(since, Instant.parse(until.asText()));
                assertTrue(lasts.toSeconds() >= 50 && lasts.toSeconds() <= 60, outage::toString);
            }
            assertEquals(200, service.app().status("/health-check"));
            assertEquals(200, service.app().status("/ids/uid60"));
            String message = service.admin()
                    .json("/healthcheck")
                    .path("leases")
                    .path("message")
                    .asText();
            assertTrue(message.startsWith("ZooKeeper is unreachable since " + since + ", reserved until "), message);
            assertTrue(service.admin().get("/prometheus").body().contains("id_allocator_zookeeper_unreachable 1.0"));
            assertTrue(service.app().json("/console/state").has("outage"));

            line.heal();
            await().until(() -> !service.app().json("/ids").has("outage"));
        }
    }

    private static HttpResponse<String> call(RunningService service, String task) {
        return service.admin().send("POST", "/tasks/" + task, "application/json");
    }

    private static String reason(RunningService service) {
        return service.app().json("/ids/sno").path("reason").asText();
    }

    /** The drain waits for an answer that does not come, until it is overtaken. */
    @Test
    void shouldSayWhatIsTrueOfADrainThatIsOvertakenByAResumption() throws Exception {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                TcpProxy line = TcpProxy.to(zookeeper.connect(), Duration.ZERO);
                RunningService service = start(line);
                Said said = new Said(ClusterWatch.class)) {
            line.blackhole();
            CompletableFuture<HttpResponse<String>> drain = CompletableFuture.supplyAsync(() -> call(service, "drain"));
            await().until(() -> reason(service).equals("drained"));
            await().until(() -> service.app().json("/leases").path("leases").isEmpty());
            JsonNode resumed = Http.json(call(service, "resume"));
            assertTrue(resumed.path("resumed").asBoolean(), resumed.toString());
            assertEquals(
                    List.of("sno", "muid", "eightbyte", "uid60"),
                    resumed.path("fenced").findValuesAsText("scheme"),
                    "nothing can be claimed now");
            assertTrue(
                    List.of("starting", "unreachable")
                            .containsAll(resumed.path("fenced").findValuesAsText("reason")),
                    resumed.toString());
            assertNotEquals("drained", reason(service));
            assertEquals(200, service.app().status("/ids/gid"));
            List<String> reasons = service.app().json("/ids").findValuesAsText("reason");
            assertFalse(reasons.contains("drained"), reasons.toString());

            HttpResponse<String> overtaken = drain.get(HangGuard.MINUTES, TimeUnit.MINUTES);
            assertEquals(409, overtaken.statusCode());
            assertEquals("not drained: this replica was resumed meanwhile", Http.detail(overtaken));

            CompletableFuture<HttpResponse<String>> fleet =
                    CompletableFuture.supplyAsync(() -> service.admin().get("/fleet"));
            assertEquals(503, service.admin().status("/leases"));
            assertEquals(503, fleet.get(HangGuard.MINUTES, TimeUnit.MINUTES).statusCode());
            assertEquals(List.of(), said.lines(), "whoever keeps the leases tells of the outage");

            line.heal();
            service.awaitServing();
        }
    }

    @Test
    @SuppressWarnings("try") // what is closed last is not asked anything
    void shouldServeGidAloneWhileZooKeeperIsUnreachable() throws Exception {
        int port = Ports.free(1).get(0);
        List<OwnZooKeeper> late = new ArrayList<>();
        try (AutoCloseable zookeeper =
                        () -> late.forEach(OwnZooKeeper::close); // after the service, so that slots can be released
                RunningService service = RunningService.start(
                        AllocatorApplication.class,
                        "zookeeper.embedded.enabled=false",
                        "zookeeper.connect=127.0.0.1:" + port,
                        "zookeeper.sessionTimeout=10s",
                        "window=2s",
                        "maxClockSkew=500ms")) {
            assertEquals(200, service.app().status("/ids/gid"));
            assertEquals(503, service.app().status("/ids/sno"));
            assertEquals(503, service.app().status("/health-check"));
            assertFalse(service.app().get("/ids").body().contains("\"state\":\"active\",\"leased\":true"));
            assertFalse(service.app().json("/ids").at("/zookeeper/embedded").asBoolean(true));

            late.add(OwnZooKeeper.start(data, port));
            service.awaitReady();
            for (String scheme : Schemes.names()) {
                await().until(() -> service.app().status("/ids/" + scheme) == 200);
            }
        }
    }
}
