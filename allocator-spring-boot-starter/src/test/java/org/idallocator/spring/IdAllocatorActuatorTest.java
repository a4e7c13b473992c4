package org.idallocator.spring;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.core.testing.TestIds;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** What a program tells of its allocator, which serves from a real ZooKeeper. */
class IdAllocatorActuatorTest {
    /** The shortest window, as renewals come in quarters of it. */
    private static final AllocatorSettings SETTINGS = AllocatorSettings.of(
                    Schemes.of("sno"), ZooKeeperSettings.of("localhost"))
            .withWindow(Terms.WINDOW.least());

    private static final LocalServer ZOOKEEPER = LocalServer.start();

    private static final ConfigurableApplicationContext PROGRAM = start();

    private final IdAllocator allocator = PROGRAM.getBean(IdAllocator.class);
    private final MeterRegistry meters = new SimpleMeterRegistry();

    @ImportAutoConfiguration({IdAllocatorAutoConfiguration.class, IdAllocatorActuatorAutoConfiguration.class})
    static class Program {}

    private static ConfigurableApplicationContext start() {
        FirstStart.withoutWaiting(SETTINGS.withZooKeeper(ZooKeeperSettings.of(ZOOKEEPER.connect())));
        return new SpringApplicationBuilder(Program.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--idallocator.zookeeper.connect=" + ZOOKEEPER.connect(),
                        "--idallocator.window=" + SETTINGS.window());
    }

    /** In this order: an allocator without ZooKeeper waits for it as it closes. */
    @AfterAll
    static void close() throws IOException {
        PROGRAM.close();
        ZOOKEEPER.close();
    }

    @BeforeEach
    void bind() throws InterruptedException {
        allocator.resume();
        allocator.awaitReady(HangGuard.TIME);
        PROGRAM.getBean(IdAllocatorMeters.class).bindTo(meters);
    }

    private static Health health(ApplicationContext program) {
        HealthIndicator indicator = program.getBean("idAllocatorHealthIndicator", HealthIndicator.class);
        return Objects.requireNonNull(indicator.health());
    }

    @Test
    void shouldBeUpWhileItServesAndOutOfServiceWhenDrained() throws InterruptedException {
        assertEquals(Health.up().withDetail("sno", "serves").build(), health(PROGRAM));
        assertEquals(1, gauge("ready"));

        allocator.drain(HangGuard.TIME);

        Health drained = health(PROGRAM);
        String why = String.valueOf(drained.getDetails().get("sno"));
        assertEquals(Status.OUT_OF_SERVICE, drained.getStatus());
        assertTrue(why.startsWith("drained: this replica was drained by its operator"), why);
        assertEquals(0, gauge("ready"));
    }

    @Test
    void shouldBeOutOfServiceWhileADrainIsAnnounced() {
        Thread drain = new Thread(() -> {
            try {
                allocator.drain(HangGuard.TIME, HangGuard.TIME);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        drain.start();
        await().until(allocator::leaving);

        assertEquals(Health.outOfService().withDetail("sno", "serves").build(), health(PROGRAM));
        assertEquals(0, gauge("ready"));

        allocator.resume();
        await().until(() -> !drain.isAlive());
    }

    @Test
    void shouldHaveTheMetersThatAlertsLookAt() throws InterruptedException {
        await("a renewal").until(() -> count("renewals", "scheme", "sno", "outcome", "ok") > 0);

        assertEquals(0, gauge("zookeeper.unreachable"));
        assertEquals(2, seconds("max.clock.skew"));
        assertTrue(Math.abs(seconds("clock.offset")) < 2, "the same machine");
        assertEquals(0, gauge("fenced", "scheme", "sno", "reason", "drained"));
        for (String count : List.of("serving", "min", "max")) {
            assertEquals(1, gauge("slots", "scheme", "sno", "count", count), count);
        }
        assertBetween(0, seconds("deadline", "scheme", "sno"), 1);
        assertBetween(0, seconds("reservation.lead", "scheme", "sno"), 1 + 2);
        assertEquals(1, seconds("window", "scheme", "sno"));
        assertEquals((double) counts().claims(), count("claims", "scheme", "sno"));
        assertEquals((double) counts().tenures(), count("tenures", "scheme", "sno"));
        assertEquals((double) counts().renewals().failed(), count("renewals", "scheme", "sno", "outcome", "failed"));
        assertBetween(0, meters.get("id.allocator.renewal").functionTimer().mean(TimeUnit.SECONDS), Double.MAX_VALUE);
        double drained = count("fences", "scheme", "sno", "reason", "drained");

        allocator.drain(HangGuard.TIME);

        assertEquals(1, gauge("fenced", "scheme", "sno", "reason", "drained"));
        assertEquals(0, gauge("fenced", "scheme", "sno", "reason", "unreachable"));
        assertEquals(0, gauge("slots", "scheme", "sno", "count", "serving"));
        assertEquals(Double.NaN, seconds("deadline", "scheme", "sno"));
        assertEquals(drained + 1, count("fences", "scheme", "sno", "reason", "drained"));
        assertEquals(0, count("fences", "scheme", "sno", "reason", "rolled-back"));
    }

    private LeaseCounts counts() {
        return allocator.leaseCounts().get(0);
    }

    private double gauge(String name, String... tags) {
        return meters.get("id.allocator." + name).tags(tags).gauge().value();
    }

    private double seconds(String name, String... tags) {
        return meters.get("id.allocator." + name).tags(tags).timeGauge().value(TimeUnit.SECONDS);
    }

    private double count(String name, String... tags) {
        return meters.get("id.allocator." + name).tags(tags).functionCounter().count();
    }

    private static void assertBetween(double least, double value, double most) {
        assertTrue(least < value && value <= most, () -> value + " is not in " + least + ".." + most);
    }

    /** As where ZooKeeper asks for TLS; the jar that Netty has for Linux is not among the program's. */
    @Test
    @ProofOnly("a client with threads of Netty, which is slow to start and to end")
    void shouldServeOverNetty() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        IdAllocatorAutoConfiguration.class, IdAllocatorActuatorAutoConfiguration.class))
                .withPropertyValues(
                        "idallocator.zookeeper.connect=" + ZOOKEEPER.connect(),
                        "idallocator.zookeeper.properties.zookeeper.clientCnxnSocket="
                                + "org.apache.zookeeper.ClientCnxnSocketNetty",
                        "idallocator.window=" + SETTINGS.window())
                .run(program -> {
                    assertNull(program.getStartupFailure());
                    assertEquals(Status.UP, health(program).getStatus());
                });
    }

    /** Two allocators on one root; the first is @Primary, or none is. */
    private static ApplicationContextRunner twoAllocators(boolean primary) {
        AllocatorSettings settings = SETTINGS.withZooKeeper(ZooKeeperSettings.of(ZOOKEEPER.connect()));
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        IdAllocatorAutoConfiguration.class, IdAllocatorActuatorAutoConfiguration.class))
                .withBean(
                        "first",
                        IdAllocator.class,
                        () -> IdAllocator.connect(settings),
                        bean -> bean.setPrimary(primary))
                .withBean("second", IdAllocator.class, () -> IdAllocator.connect(settings));
    }

    @Test
    void shouldTellOfNoAllocatorWhenThereAreSeveral() {
        twoAllocators(false).run(program -> {
            assertEquals(Status.UNKNOWN, health(program).getStatus());
            assertEquals(0, program.getBeanNamesForType(IdAllocatorMeters.class).length);
        });
    }

    @Test
    void shouldTellOfThePrimaryAllocatorAloneWhenThereAreSeveral() {
        twoAllocators(true).run(program -> {
            IdAllocator first = program.getBean("first", IdAllocator.class);
            first.awaitReady(HangGuard.TIME);
            program.getBean("second", IdAllocator.class).drain(HangGuard.TIME);
            assertEquals(Status.UP, health(program).getStatus());

            first.drain(HangGuard.TIME);
            assertEquals(Status.OUT_OF_SERVICE, health(program).getStatus());
            assertEquals(1, program.getBeanNamesForType(IdAllocatorMeters.class).length);
        });
    }

    @Test
    void shouldBeUnknownWhenTheProgramDrawsWithoutAnAllocator() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        IdAllocatorAutoConfiguration.class, IdAllocatorActuatorAutoConfiguration.class))
                .withBean(IdGenerators.class, TestIds::all)
                .run(program -> {
                    assertEquals(Status.UNKNOWN, health(program).getStatus());
                    assertEquals(0, program.getBeanNamesForType(IdAllocatorMeters.class).length);
                });
    }
}
