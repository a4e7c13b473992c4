package org.idallocator.spring;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;
import org.idallocator.zk.IdAllocator;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;

/** Which beans a program has, and when they are made and closed. There is no ZooKeeper. */
class IdAllocatorAutoConfigurationTest {
    private static final String NOWHERE = "idallocator.zookeeper.connect=127.0.0.1:1";
    private static final String WITHOUT_WAITING = "idallocator.start-timeout=0s";

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(IdAllocatorAutoConfiguration.class));

    private static IdGenerator<?> generator(BeanFactory beans, Class<?> type) {
        return (IdGenerator<?>) beans.getBeanProvider(ResolvableType.forClassWithGenerics(IdGenerator.class, type))
                .getObject();
    }

    // --- Without an allocator.

    @Test
    void shouldDrawWithoutZooKeeperWhenTheProgramHasItsOwnGenerators() {
        runner.withBean(IdGenerators.class, TestIds::all).run(context -> {
            assertNull(context.getStartupFailure());
            assertEquals(0, context.getBeanNamesForType(IdAllocator.class).length);
            assertEquals(
                    "9d5ve82222222222", generator(context, Sno.class).next().toString());
            assertEquals(
                    "9d5ve82222222223", generator(context, Sno.class).next().toString(), "the same generator");
        });
    }

    /** The message of {@link IdGenerators} names all types that there are. */
    @Test
    void shouldHaveAGeneratorOfEachTypeOfId() {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> TestIds.all().of(Id.class));
        Set<String> types = Stream.of(String.valueOf(thrown.getMessage())
                        .replaceAll(".* those drawn are ", "")
                        .split(", ", -1))
                .collect(Collectors.toCollection(TreeSet::new));

        runner.withBean(IdGenerators.class, TestIds::all).run(context -> {
            String[] beans = context.getBeanNamesForType(IdGenerator.class);
            Set<String> drawn = Arrays.stream(beans)
                    .map(name -> (IdGenerator<?>) context.getBean(name))
                    .map(generator -> generator.next().getClass().getSimpleName())
                    .collect(Collectors.toCollection(TreeSet::new));

            assertEquals(types.size(), beans.length);
            types.remove("Gid"); // an interface: what is drawn is of one of its types
            assertEquals(types, drawn);
        });
    }

    static final class OwnGenerator {
        @Bean
        IdGenerator<Sno> numbers() {
            return TestIds.of(Sno.parse("9q7qmwq2222dhi22"));
        }
    }

    @Test
    void shouldGiveWayToAGeneratorOfTheProgram() {
        runner.withBean(IdGenerators.class, TestIds::all)
                .withUserConfiguration(OwnGenerator.class)
                .run(context -> {
                    assertEquals(
                            "9q7qmwq2222dhi22",
                            generator(context, Sno.class).next().toString());
                    assertNotNull(generator(context, Muid.class).next());
                });
    }

    @Test
    void shouldHaveNoAllocatorWhenItIsDisabled() {
        runner.withPropertyValues("idallocator.enabled=false").run(context -> {
            assertNull(context.getStartupFailure());
            assertEquals(0, context.getBeanNamesForType(IdGenerators.class).length);
        });
    }

    // --- With one.

    @Test
    void shouldStartWithoutIdsWhenItDoesNotWaitForThem() {
        runner.withPropertyValues(NOWHERE, WITHOUT_WAITING).run(context -> {
            assertNull(context.getStartupFailure());
            assertThrows(
                    FencedException.class, () -> generator(context, Sno.class).next());
        });
    }

    @Test
    void shouldAskForNoSchemeThatNobodyInjects() {
        runner.withPropertyValues(NOWHERE, WITHOUT_WAITING).run(context -> {
            assertNull(context.getStartupFailure());
            BeanCreationException thrown =
                    assertThrows(BeanCreationException.class, () -> generator(context, Muid.class));
            assertEquals(
                    "scheme muid is not configured; configured are [sno]",
                    thrown.getMostSpecificCause().getMessage());
        });
    }

    /** Nothing of the allocator that did not serve is left. */
    @Test
    void shouldFailToStartWhenItDoesNotServeInTime() {
        runner.withPropertyValues(NOWHERE, "idallocator.start-timeout=1ms").run(context -> {
            BeanCreationException failure = (BeanCreationException) Objects.requireNonNull(context.getStartupFailure());
            assertTrue(failure.getMostSpecificCause() instanceof FencedException, failure::toString);
        });
        await().untilAsserted(() -> assertEquals(
                List.of(),
                Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.equals("id-allocator-leases"))
                        .toList()));
    }

    /** What the parts of a program see of the allocator as they stop. */
    static final class Stopping {
        private final List<String> seen = new ArrayList<>();

        void see(String part, IdGenerator<?> generator) {
            FencedException why = assertThrows(FencedException.class, generator::next);
            seen.add(part + (why.reason() == FenceReason.CLOSED ? ": closed" : ": open"));
        }

        /** Uses the allocator, which is made for it before there is a pool. */
        @Bean
        DisposableBean worker(IdGenerator<Sno> snos) {
            return () -> see("worker", snos);
        }

        @Bean
        Pool pool(BeanFactory beans) {
            List<IdGenerator<Sno>> snos = new ArrayList<>();
            beans.<IdGenerator<Sno>>getBeanProvider(ResolvableType.forClassWithGenerics(IdGenerator.class, Sno.class))
                    .forEach(snos::add);
            return new Pool(() -> see("pool", snos.get(0)));
        }

        /** Stops when web servers do. */
        @Bean
        SmartLifecycle server(BeanFactory beans) {
            return new Server(() -> see("server", generator(beans, Sno.class)));
        }
    }

    private record Server(Runnable whenStopped) implements SmartLifecycle {
        @Override
        public void start() {}

        @Override
        public void stop() {
            whenStopped.run();
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        /** Of WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE. */
        @Override
        public int getPhase() {
            return SmartLifecycle.DEFAULT_PHASE - 2 * 1024;
        }
    }

    @Test
    void shouldCloseAfterTheWebServerAndItsUsersAndBeforeThePool() {
        List<String> seen = new ArrayList<>();
        runner.withPropertyValues(NOWHERE, WITHOUT_WAITING)
                .withUserConfiguration(Stopping.class)
                .run(context -> {
                    Stopping stopping = context.getBean(Stopping.class);
                    context.close();
                    seen.addAll(stopping.seen);
                });

        assertEquals(List.of("server: open", "worker: open", "pool: closed"), seen);
    }
}
