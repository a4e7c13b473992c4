package org.idallocator.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.AnnotationException;
import org.hibernate.HibernateException;
import org.hibernate.SessionFactory;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.container.spi.ContainedBean;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where IDs come from, and what is refused before there are any. */
class AllocatorIdGeneratorTest {
    private static final String FIRST = "9d5ve82222222222";
    private static final String NONE = "no IDs can be drawn: set org.idallocator.generators to the program's"
            + " org.idallocator.core.generator.IdGenerators, such as its IdAllocator, or make them a bean";

    /** An entity with little in it, whose key is read by its getter. */
    @Entity(name = "Small")
    public static class Small {
        private Sno id;

        @Id
        @GeneratedId
        public Sno getId() {
            return id;
        }

        protected void setId(Sno id) {
            this.id = id;
        }
    }

    /** The ID of the first row that is written with these settings. */
    private static String firstId(Map<String, Object> settings) {
        try (SessionFactory factory = Database.of(Small.class, settings)) {
            return persisted(factory);
        }
    }

    private static String persisted(SessionFactory factory) {
        Small small = new Small();
        factory.inTransaction(session -> session.persist(small));
        return small.getId().toString();
    }

    @Test
    void shouldDrawFromTheGeneratorsOfTheSetting() {
        assertEquals(FIRST, firstId(Map.of(AllocatorIdGenerator.SETTING, TestIds.all())));
    }

    @Test
    void shouldSayWhatToDoWhenThereAreNoGenerators() {
        HibernateException refused = assertThrows(HibernateException.class, () -> firstId(Map.of()));

        assertEquals(NONE, refused.getMessage());
    }

    @Test
    void shouldRefuseASettingThatIsNoGenerators() {
        HibernateException refused =
                assertThrows(HibernateException.class, () -> firstId(Map.of(AllocatorIdGenerator.SETTING, "zk1:2181")));

        assertEquals(
                "org.idallocator.generators must be an org.idallocator.core.generator.IdGenerators: java.lang.String",
                refused.getMessage());
    }

    @Test
    void shouldDrawFromTheBeanWhenNothingIsSet() {
        Beans beans = new Beans();
        beans.generators = Optional.of(TestIds.all());

        assertEquals(FIRST, firstId(Map.of("hibernate.resource.beans.container", beans)));
    }

    @Test
    void shouldPreferTheSettingToTheBean() {
        Beans beans = new Beans();
        beans.generators = Optional.of(TestIds.all());
        IdGenerators later = TestIds.all();
        later.of(Sno.class).next(3);

        assertEquals(
                "9d5ve82222222225",
                firstId(Map.of("hibernate.resource.beans.container", beans, AllocatorIdGenerator.SETTING, later)));
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoSuchBeanAndLookAgain() {
        Beans beans = new Beans();
        try (SessionFactory factory = Database.of(Small.class, Map.of("hibernate.resource.beans.container", beans))) {
            HibernateException refused = assertThrows(HibernateException.class, () -> persisted(factory));
            assertEquals(NONE, refused.getMessage());

            beans.generators = Optional.of(TestIds.all());
            assertEquals(FIRST, persisted(factory));
        }
    }

    /**
     * As containers do it: the program's beans are found where they are asked for as they are, and are not made anew.
     */
    private static final class Beans implements BeanContainer {
        private Optional<IdGenerators> generators = Optional.empty();

        @Override
        public <B> ContainedBean<B> getBean(
                Class<B> type, LifecycleOptions options, BeanInstanceProducer fallbackProducer) {
            return new ContainedBean<>() {
                @Override
                public B getBeanInstance() {
                    return generators
                            .filter(type::isInstance)
                            .filter(found -> !options.useJpaCompliantCreation())
                            .map(type::cast)
                            .orElseGet(() -> fallbackProducer.produceBeanInstance(type));
                }

                @Override
                public Class<B> getBeanClass() {
                    return type;
                }
            };
        }

        @Override
        public <B> ContainedBean<B> getBean(
                String name, Class<B> type, LifecycleOptions options, BeanInstanceProducer fallbackProducer) {
            return getBean(type, options, fallbackProducer);
        }

        @Override
        public void stop() {}
    }

    /** An attribute that says nothing of what is drawn. */
    @Entity(name = "Unnamed")
    public static class Unnamed {
        @Id
        @GeneratedId
        public Long id;
    }

    /** Ten bytes for eight. */
    @Entity(name = "Narrow")
    public static class Narrow {
        @Id
        @GeneratedId(Sno.class)
        public Long id;
    }

    /** Eight bytes for sixteen. */
    @Entity(name = "Wide")
    public static class Wide {
        @Id
        @GeneratedId(Uid60.class)
        public UUID getId() {
            return new UUID(0, 0);
        }

        protected void setId(UUID id) {}
    }

    /** A value that is always there, so that none would ever be drawn. */
    @Entity(name = "Primitive")
    public static class Primitive {
        @Id
        @GeneratedId(Uid60.class)
        public long id;
    }

    /** One type of ID for another. */
    @Entity(name = "Other")
    public static class Other {
        @Id
        @GeneratedId(Uid60.class)
        public Sno id;
    }

    static List<List<Object>> refused() {
        String types = "must be of one of the types Sno, Muid, EightByteId, Uid60, Gid, VolumeId, LogId, SegmentId,"
                + " or @GeneratedId must name one, as in @GeneratedId(Uid60.class): ";
        String uid60 = "must be of one of the types Uid60, byte[], String, Long, to be given a Uid60: ";
        return List.of(
                List.of(Unnamed.class, "id", types + "java.lang.Long"),
                List.of(
                        Narrow.class,
                        "id",
                        "must be of one of the types Sno, byte[], String, UUID, to be given a Sno: java.lang.Long"),
                List.of(Wide.class, "getId", uid60 + "java.util.UUID"),
                List.of(Primitive.class, "id", uid60 + "long"),
                List.of(Other.class, "id", uid60 + "org.idallocator.core.id.Sno"));
    }

    /** Before a row is written, and whether generators are there or not. */
    @ParameterizedTest
    @MethodSource("refused")
    void shouldRefuseAtTheStartAnAttributeThatCannotHaveWhatIsDrawn(List<Object> refusal) {
        Class<?> entity = (Class<?>) refusal.get(0);

        HibernateException refused = assertThrows(
                HibernateException.class, () -> Database.of(entity, Map.of()).close());

        assertEquals(AnnotationException.class, refused.getClass());
        assertEquals(
                entity.getName() + "." + refusal.get(1) + " " + refusal.get(2),
                refused.getMessage(),
                refused::toString);
    }
}
