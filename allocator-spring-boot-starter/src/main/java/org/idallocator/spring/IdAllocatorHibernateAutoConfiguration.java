package org.idallocator.spring;

import org.idallocator.core.generator.IdGenerators;
import org.idallocator.hibernate.AllocatorIdGenerator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Where a program has {@code allocator-hibernate}, its entities draw from its {@link IdGenerators}, unless it has set
 * {@link AllocatorIdGenerator#SETTING} itself. Hibernate would find the bean by itself, but only at the first insert:
 * the allocator is to be there before, and to be closed after Hibernate.
 */
@AutoConfiguration(after = IdAllocatorAutoConfiguration.class)
@ConditionalOnClass({AllocatorIdGenerator.class, HibernatePropertiesCustomizer.class})
public final class IdAllocatorHibernateAutoConfiguration {
    @Bean
    @ConditionalOnSingleCandidate(IdGenerators.class)
    HibernatePropertiesCustomizer idAllocatorHibernateCustomizer(IdGenerators all) {
        return properties -> properties.putIfAbsent(AllocatorIdGenerator.SETTING, all);
    }
}
