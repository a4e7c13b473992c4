package org.idallocator.hibernate;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.AnnotationException;
import org.hibernate.HibernateException;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.hibernate.service.ServiceRegistry;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Id;
import org.jspecify.annotations.Nullable;

/**
 * Draws the values of {@link GeneratedId}, from the program's {@link IdGenerators}: those of the setting
 * {@link #SETTING}, or else the one bean of that type that CDI or Spring has. They are looked for at the first insert,
 * because a container may have its beans no sooner. Thread-safe.
 *
 * <p>What a draw throws, as a {@link org.idallocator.core.fence.FencedException}, Hibernate passes on as it is, from
 * {@code persist} or {@code flush}. A commit that writes rows wraps it, as all that it throws.
 */
public final class AllocatorIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<GeneratedId> {
    /** The setting of Hibernate, an object, that has the program's {@link IdGenerators}, such as its allocator. */
    public static final String SETTING = "org.idallocator.generators";

    private static final long serialVersionUID = 1L;

    private transient @Nullable Drawn<?> drawn;
    private transient @Nullable ServiceRegistry services;
    private transient volatile @Nullable IdGenerators generators;

    /** What an attribute of this class is given. */
    private record Drawn<T extends Id>(IdForms<T> forms, Class<?> attribute) {
        Object from(IdGenerators generators) {
            return forms.write(generators.of(forms.type()).next(), attribute);
        }
    }

    /** For Hibernate, which then calls {@link #initialize}. */
    public AllocatorIdGenerator() {}

    /**
     * Says which attribute this is of.
     *
     * @throws AnnotationException if the attribute's type is none of an ID, and the annotation names none; or if an ID
     *     of the one that is named cannot be kept in the attribute
     */
    @Override
    public void initialize(GeneratedId annotation, Member member, GeneratorCreationContext context) {
        Class<?> attribute = member instanceof Method getter ? getter.getReturnType() : ((Field) member).getType();
        String place = member.getDeclaringClass().getName() + "." + member.getName();
        drawn = new Drawn<>(forms(annotation.value(), attribute, place), attribute);
        services = context.getServiceRegistry();
    }

    private static IdForms<?> forms(Class<? extends Id> named, Class<?> attribute, String place) {
        Class<?> type = named == Id.class ? attribute : named;
        IdForms<?> forms = IdForms.find(type)
                .orElseThrow(() -> new AnnotationException(
                        "%s must be of one of the types %s, or @GeneratedId must name one, as in @GeneratedId(Uid60.class): %s"
                                .formatted(place, IdForms.names(), type.getTypeName())));
        if (!forms.fit(attribute)) {
            throw new AnnotationException("%s must be of one of the types %s, to be given a %s: %s"
                    .formatted(place, forms.attributes(), type.getSimpleName(), attribute.getTypeName()));
        }
        return forms;
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session, Object owner, @Nullable Object current, EventType event) {
        return current == null ? Objects.requireNonNull(drawn).from(generators()) : current;
    }

    private IdGenerators generators() {
        IdGenerators found = generators;
        if (found == null) {
            found = find(Objects.requireNonNull(services));
            generators = found;
        }
        return found;
    }

    private static IdGenerators find(ServiceRegistry services) {
        Object setting = services.requireService(ConfigurationService.class)
                .getSettings()
                .get(SETTING);
        if (setting instanceof IdGenerators found) {
            return found;
        }
        if (setting != null) {
            throw new HibernateException("%s must be an %s: %s"
                    .formatted(
                            SETTING,
                            IdGenerators.class.getName(),
                            setting.getClass().getName()));
        }
        BeanContainer container =
                services.requireService(ManagedBeanRegistry.class).getBeanContainer();
        if (container == null) {
            throw none();
        }
        return container
                .getBean(IdGenerators.class, AsTheProgramHasIt.INSTANCE, NoOther.INSTANCE)
                .getBeanInstance();
    }

    private static HibernateException none() {
        return new HibernateException(
                "no IDs can be drawn: set %s to the program's %s, such as its IdAllocator, or make them a bean"
                        .formatted(SETTING, IdGenerators.class.getName()));
    }

    /** The bean of the program: Hibernate itself would have the container make one, of a type that is an interface. */
    private enum AsTheProgramHasIt implements BeanContainer.LifecycleOptions {
        INSTANCE;

        @Override
        public boolean canUseCachedReferences() {
            return true;
        }

        @Override
        public boolean useJpaCompliantCreation() {
            return false;
        }
    }

    /** What the container asks for where it has no such bean. */
    private enum NoOther implements BeanInstanceProducer {
        INSTANCE;

        @Override
        public <B> B produceBeanInstance(Class<B> type) {
            throw none();
        }

        @Override
        public <B> B produceBeanInstance(String name, Class<B> type) {
            throw none();
        }
    }

    /** So that what a program gives an {@code @Id} before {@code persist} is kept. */
    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }
}
