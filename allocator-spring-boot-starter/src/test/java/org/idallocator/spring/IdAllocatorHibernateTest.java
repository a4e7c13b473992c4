package org.idallocator.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashMap;
import java.util.Map;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.testing.TestIds;
import org.idallocator.hibernate.AllocatorIdGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What Hibernate is told; SpringShopIT has a whole program with a database. */
class IdAllocatorHibernateTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdAllocatorAutoConfiguration.class, IdAllocatorHibernateAutoConfiguration.class));

    @Test
    void shouldGiveHibernateTheGeneratorsOfTheProgram() {
        runner.withBean(IdGenerators.class, TestIds::all).run(program -> {
            Map<String, Object> properties = new HashMap<>();
            program.getBean(HibernatePropertiesCustomizer.class).customize(properties);

            assertSame(program.getBean(IdGenerators.class), properties.get(AllocatorIdGenerator.SETTING));
        });
    }

    @Test
    void shouldGiveWayToWhatTheProgramHasTold() {
        runner.withBean(IdGenerators.class, TestIds::all).run(program -> {
            IdGenerators others = TestIds.all();
            Map<String, Object> properties = new HashMap<>(Map.of(AllocatorIdGenerator.SETTING, others));
            program.getBean(HibernatePropertiesCustomizer.class).customize(properties);

            assertSame(others, properties.get(AllocatorIdGenerator.SETTING));
        });
    }

    @Test
    void shouldTellNothingWhereThereAreNoGenerators() {
        runner.withPropertyValues("idallocator.enabled=false").run(program -> {
            assertNull(program.getStartupFailure());
            assertEquals(0, program.getBeanNamesForType(HibernatePropertiesCustomizer.class).length);
        });
    }

    @Test
    void shouldStartInAProgramWithoutHibernate() {
        runner.withBean(IdGenerators.class, TestIds::all)
                .withClassLoader(new FilteredClassLoader("org.hibernate", "org.idallocator.hibernate"))
                .run(program -> assertNull(program.getStartupFailure()));
    }
}
