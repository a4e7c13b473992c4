package com.example.shop;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.google.common.collect.Lists;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.testing.DropwizardTestSupport;
import io.dropwizard.util.JarLocation;
import jakarta.servlet.http.HttpServlet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.IdAllocatorBundle;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that is not the service adds the bundle, has an allocator, and stays what it was. */
class ShopTest {
    private static final String SNO = "[2-9a-x]{16}";
    private static final Set<String> CHECKS = Set.of("eightbyte", "lease-thread", "leases", "muid", "sno", "uid60");

    @TempDir
    private Path directory;

    private final Set<Thread> before = sessionTrackers();

    private static Set<Thread> sessionTrackers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("SessionTracker"))
                .collect(Collectors.toSet());
    }

    /**
     * The last thread of an embedded ZooKeeper logs its end a moment after all else: the next test must not print that.
     */
    @AfterEach
    void awaitTheLastWordsOfZooKeeper() {
        await().until(() -> before.containsAll(sessionTrackers()));
    }

    private String config() throws IOException {
        return Files.writeString(directory.resolve("shop.yml"), """
                name: corner
                ids: {zookeeper: {sessionTimeout: 60s, embedded: {enabled: true, dataDir: '%s'}}, instance: }
                server:
                  applicationConnectors: [{type: http, port: 0}]
                  adminConnectors: [{type: http, port: 0}]
                  requestLog: {appenders: []}
                health:
                  healthChecks:
                    - {name: leases, critical: true}
                logging: {level: WARN, appenders: [{type: console, target: stderr}]}
                """.formatted(directory.resolve("data")))
                .toString();
    }

    /** Runs the shop for the time of one visit, which begins when the shop is ready. */
    private void visit(Class<? extends Shop> shop, Visit visit) throws Exception {
        DropwizardTestSupport<ShopConfiguration> support = new DropwizardTestSupport<>(shop, config());
        support.before();
        try {
            Http app = new Http(support.getLocalPort());
            await().until(() -> app.get("/health-check").statusCode() == 200);
            await().until(() -> app.send("POST", "/orders", "*/*").statusCode() == 200);
            visit.at(app, new Http(support.getAdminPort()));
        } finally {
            support.after();
        }
    }

    @Test
    @ProofOnly("a third program")
    void shouldHaveItsOwnPagesOnTheAdminPortWhenItWantsNoneOfTheAllocators() throws Exception {
        visit(Shop.WithOwnPages.class, (app, admin) -> {
            assertEquals("the shop's own", admin.get("/prometheus").body());
            assertEquals("the shop's own", admin.get("/leases/sno").body());
            assertEquals(200, admin.send("POST", "/tasks/gc", "*/*").statusCode(), "the shop guards its port itself");
        });
    }

    private interface Visit {
        void at(Http app, Http admin);
    }

    @Test
    void shouldDrawIdsWithoutServingThemAndReleaseItsSlotsWhenItStops() throws Exception {
        visit(Shop.class, (app, admin) -> {
            Set<String> numbers = new TreeSet<>();
            for (int i = 0; i < 100; i++) {
                JsonNode order = Http.json(app.send("POST", "/orders", "*/*"));
                assertEquals("corner", order.path("shop").asText());
                numbers.add(order.path("number").asText());
            }
            assertEquals(100, numbers.size());
            assertTrue(numbers.stream().allMatch(number -> number.matches(SNO)), numbers.toString());
            assertAll(
                    () -> shouldHaveHealthChecks(app, admin),
                    () -> shouldHaveMetrics(admin, false),
                    () -> shouldShowTheLeasesOfTheCluster(admin),
                    () -> shouldChangeNothingForStrangers(admin),
                    () -> shouldAnswerErrorsInItsOwnWay(app.get("/ids"), 404),
                    () -> shouldAnswerErrorsInItsOwnWay(app.get("/leases"), 404),
                    () -> shouldAnswerErrorsInItsOwnWay(app.get("/openapi.json"), 404),
                    () -> shouldAnswerErrorsInItsOwnWay(app.get("/console"), 404),
                    () -> shouldShowTheConsoleBelowItsOwnPath(admin),
                    () -> shouldCountNothing(
                            admin.json("/console/state").path("schemes").path(0)),
                    () -> shouldAnswerErrorsInItsOwnWay(app.get("/orders/none"), 500));
        });
        shouldHaveReleasedItsSlots();
    }

    /** Nobody counts what the program itself draws. */
    private static void shouldCountNothing(JsonNode scheme) {
        assertEquals("active", scheme.path("state").asText(), scheme.toString());
        assertFalse(scheme.has("issued") || scheme.has("refused"), scheme.toString());
    }

    @Test
    void shouldServeTheRoutesBesideItsOwnWhenItWantsThem() throws Exception {
        visit(
                Shop.WithRoutes.class,
                (app, admin) -> assertAll(
                        () -> shouldHaveHealthChecks(app, admin),
                        () -> shouldHaveMetrics(admin, true),
                        () -> shouldServeRoutes(app),
                        () -> shouldShowTheConsoleBelowItsOwnPath(app),
                        () -> assertEquals(
                                "/console",
                                admin.json("/console/state")
                                        .at("/application/path")
                                        .asText()),
                        () -> assertTrue(
                                admin.json("/console/state").at("/schemes/0").has("issued"), "what the routes draw"),
                        () -> shouldAnswerErrorsOfRoutesAsTheServiceDoes(app),
                        () -> shouldAnswerErrorsInItsOwnWay(app.get("/nothing"), 404),
                        () -> shouldAnswerErrorsInItsOwnWay(app.get("/ids-of-mine"), 404),
                        () -> shouldAnswerErrorsInItsOwnWay(app.get("/orders/none"), 500)));
    }

    private static void shouldHaveHealthChecks(Http app, Http admin) {
        Set<String> registered = new TreeSet<>();
        admin.json("/healthcheck").fieldNames().forEachRemaining(registered::add);
        List<String> counted = app.json("/health-check?name=all").findValuesAsText("name");

        assertTrue(registered.containsAll(CHECKS), registered.toString());
        assertTrue(registered.contains("stock"), registered.toString());
        assertEquals(List.of("leases"), counted, "what the shop's own health section names");
    }

    private static void shouldHaveMetrics(Http admin, boolean routes) {
        String metrics = admin.get("/prometheus").body();

        assertTrue(metrics.contains("id_allocator_fenced{"), metrics);
        assertTrue(metrics.contains("shop_visitors"), metrics);
        assertEquals(routes, metrics.contains("id_allocator_ids_issued_total{"), metrics);
    }

    /** The shop's own tasks are behind the guard, too. */
    private void shouldChangeNothingForStrangers(Http admin) throws IOException {
        Http operator = admin.showing(Files.readString(directory.resolve("data").resolve("admin-token"))
                .strip());

        assertEquals(401, admin.send("POST", "/tasks/gc", "*/*").statusCode());
        assertEquals(200, operator.send("POST", "/tasks/gc", "*/*").statusCode());
    }

    private static void shouldShowTheLeasesOfTheCluster(Http admin) {
        JsonNode lease = admin.json("/leases/sno").path("leases").path(0);

        assertEquals("held", lease.path("state").asText(), lease.toString());
        assertTrue(Instant.parse(lease.path("reservedThrough").asText()).isAfter(Instant.EPOCH));
    }

    private static void shouldShowTheConsoleBelowItsOwnPath(Http port) {
        assertTrue(port.get("/console").body().contains("ID Allocator"));
        assertEquals(200, port.get("/console/app.js").statusCode());
        assertTrue(port.json("/console/state").path("ready").asBoolean());
        assertFalse(port.get("/").body().contains("ID Allocator"), "that is the program's own");
    }

    private static void shouldServeRoutes(Http app) {
        String id = app.get("/ids/sno").body().strip();
        HttpResponse<String> order = app.send("POST", "/orders", "*/*");

        assertTrue(id.matches(SNO), id);
        assertEquals(
                403,
                app.send(app.request("/ids/sno").header("X-Stranger", "yes")).statusCode(),
                "the shop's filter");
        assertEquals(id, app.json("/ids/sno/" + id).path("id").asText());
        assertTrue(app.json("/ids/sno/" + id).path("time").isTextual(), "as the service writes times");
        assertTrue(Http.json(order).path("time").isNumber(), "as the shop writes times");
        assertEquals(List.of(), order.headers().allValues("Cache-Control"));
        assertEquals(List.of("no-store"), app.get("/ids/sno").headers().allValues("Cache-Control"));
        assertEquals(4, app.json("/leases").path("leases").size());
        assertTrue(app.json("/openapi.json").path("paths").has("/ids/{scheme}"));
        assertFalse(app.json("/openapi.json").path("paths").has("/orders"), "the shop's own");
    }

    private static void shouldAnswerErrorsOfRoutesAsTheServiceDoes(Http app) {
        HttpResponse<String> bad = app.get("/ids/sno?count=0");

        assertEquals(400, bad.statusCode());
        assertEquals(List.of("application/problem+json"), bad.headers().allValues("Content-Type"));
        assertEquals("count must be 1..40960000: 0", Http.detail(bad));
        assertEquals(404, app.get("/ids/nope").statusCode());
        HttpResponse<String> unknown = app.get("/leases/?nope=1"); // Jersey takes a slash at the end
        assertEquals("unknown parameter nope; allowed here: none", Http.detail(unknown));
        assertEquals(400, unknown.statusCode());
        for (String belowNone : List.of("/ids/sno/nope/nope", "/problems/busy/nope")) {
            HttpResponse<String> nothing = app.get(belowNone); // no resource has this path
            assertEquals(404, nothing.statusCode());
            assertEquals(List.of("application/problem+json"), nothing.headers().allValues("Content-Type"), belowNone);
            assertEquals(List.of("no-store"), nothing.headers().allValues("Cache-Control"));
            assertEquals("Accept", Http.header(nothing, "Vary"));
        }
        shouldAnswerErrorsInItsOwnWay(app.get("/leases/nope"), 404);
        shouldAnswerErrorsInItsOwnWay(app.get("/problems"), 404);
        assertEquals(
                "this path takes GET, OPTIONS: DELETE",
                Http.json(app.send("DELETE", "/leases", "*/*")).path("detail").asText());
    }

    private static void shouldAnswerErrorsInItsOwnWay(HttpResponse<String> response, int status) {
        assertEquals(status, response.statusCode());
        assertEquals(List.of("application/json"), response.headers().allValues("Content-Type"));
        assertTrue(
                response.body().matches("\\{\"code\":[0-9]+,\"message\":[^,]+}"),
                "Dropwizard's shape: " + response.body());
    }

    private void shouldHaveReleasedItsSlots() {
        try (OwnZooKeeper again = OwnZooKeeper.start(directory.resolve("data"));
                ClusterView cluster = ClusterView.connect(
                        AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(again.connect())))) {
            Set<LeaseView.State> states =
                    cluster.leases().stream().map(LeaseView::state).collect(Collectors.toSet());
            assertFalse(states.isEmpty());
            assertFalse(states.contains(LeaseView.State.HELD), states.toString());
        }
    }

    @Test
    void shouldHaveTheCommandsBesideItsOwn() throws IOException {
        String config = config();

        assertEquals("open\n", run("open"));
        assertEquals(
                "zookeeper.embedded.dataDir " + directory.resolve("data")
                        + " holds no data: no service has run on it\n",
                run("doctor", config));
        assertEquals("name a configuration file\n", run("generate", "gid"));
    }

    @Test
    void shouldLeaveOutTheCommandsWhenAProgramDoesNotWantThem() {
        Bootstrap<ShopConfiguration> bootstrap = new Bootstrap<>(new Shop());
        bootstrap.addBundle(new IdAllocatorBundle<>() {
            @Override
            protected AllocatorSection section(ShopConfiguration configuration) {
                return configuration.ids();
            }

            @Override
            protected boolean commands() {
                return false;
            }
        });

        assertEquals(List.of(), bootstrap.getCommands());
    }

    /** What the program prints on either stream. */
    private static String run(String... arguments) {
        Shop shop = new Shop();
        Bootstrap<ShopConfiguration> bootstrap = new Bootstrap<>(shop);
        shop.initialize(bootstrap);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream standard = System.out;
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            Object unused = new Cli(new JarLocation(Shop.class), bootstrap, said, said).run(arguments);
            return said.toString(StandardCharsets.UTF_8);
        } finally {
            System.setOut(standard);
        }
    }

    private static IdAllocatorBundle<ShopConfiguration> bundle() {
        return IdAllocatorBundle.of(ShopConfiguration.class, ShopConfiguration::ids);
    }

    /** Nothing stays open: the directory of the embedded ZooKeeper can be used again at once. */
    @Test
    void shouldRefuseASecondBundleAndCloseWhatItHadOpened() throws Exception {
        IdAllocatorBundle<ShopConfiguration> second = bundle();
        Environment environment = new Environment("two");
        bundle().run(section(embedded("one")), environment);
        try {
            refuse(second, embedded("two"), environment, "health check");
            assertThrows(IllegalStateException.class, second::allocator);
            Environment another = new Environment("another");
            second.run(section(embedded("two")), another);
            stop(another);
        } finally {
            stop(environment);
        }
    }

    private static void refuse(
            IdAllocatorBundle<ShopConfiguration> bundle, String section, Environment environment, String why) {
        Exception refused = assertThrows(RuntimeException.class, () -> bundle.run(section(section), environment));
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
    }

    /**
     * Only the service has handlers in front of its routes, for pages of other origins and for all that strangers may
     * do.
     */
    @ParameterizedTest
    @CsvSource({"requests, 96", "bodies, 100", "connections, 1000", "fields, 100"})
    void shouldNotRunWithALimitThatItWouldNotHold(String key, int limit) {
        refuseBeforeAnythingIsOpened(
                "limits: {%s: %d}".formatted(key, limit),
                "limits." + key
                        + " is for the service alone: leave it out, because nothing would hold it in front of what is yours");
    }

    @Test
    void shouldNotRunWithOriginsThatItWouldNotAllow() {
        refuseBeforeAnythingIsOpened(
                "cors: {allowedOrigins: ['*']}",
                "cors is for the service alone: leave it out, and put Jetty's CrossOriginHandler in front of what is yours");
    }

    private void refuseBeforeAnythingIsOpened(String setting, String why) {
        BadValueException refused = assertThrows(
                BadValueException.class,
                () -> bundle().run(section(embedded("data") + ", " + setting), new Environment("shop")));
        assertEquals(why, refused.getMessage());
        assertFalse(Files.exists(directory.resolve("data")), "nothing was opened");
    }

    /** Jetty would leave out one of the two servlets, and say nothing. */
    @Test
    void shouldNotRunWhenAnotherBundleHasAServletAtAPathOfTheAllocator() {
        Environment environment = new Environment("taken");
        environment.admin().addServlet("own", new HttpServlet() {}).addMapping("/prometheus");
        String why = "another servlet is on the admin port at /prometheus: see adminServlets()";
        refuse(bundle(), embedded("data"), environment, why);
        OwnZooKeeper.start(directory.resolve("data")).close(); // nothing of the shop's is open
    }

    private String embedded(String data) {
        return "zookeeper: {sessionTimeout: 60s, embedded: {enabled: true, dataDir: '" + directory.resolve(data)
                + "'}}";
    }

    private static ShopConfiguration section(String section) throws IOException {
        return Jackson.newObjectMapper(new YAMLFactory())
                .readValue("name: corner\nids: {" + section + "}\n", ShopConfiguration.class);
    }

    private static void stop(Environment environment) throws Exception {
        for (LifeCycle managed : Lists.reverse(environment.lifecycle().getManagedObjects())) {
            managed.start();
            managed.stop();
        }
    }
}
