package org.idallocator.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.idallocator.zk.IdAllocator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The allocator's health, where the program has Actuator, and its meters, where it has Micrometer. Apart from
 * {@link IdAllocatorAutoConfiguration}, because whether there is an allocator can be asked only when that is through.
 */
@AutoConfiguration(after = IdAllocatorAutoConfiguration.class)
public final class IdAllocatorActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {
        /**
         * There is one also where a test draws without ZooKeeper: a program that names it in a group of checks, such as
         * readiness, would not start without it.
         */
        @Bean
        @ConditionalOnEnabledHealthIndicator("idallocator")
        @ConditionalOnMissingBean(name = "idAllocatorHealthIndicator")
        HealthIndicator idAllocatorHealthIndicator(ObjectProvider<IdAllocator> allocators) {
            IdAllocator allocator = allocators.getIfUnique();
            return allocator == null ? IdAllocatorHealth::ofNone : new IdAllocatorHealth(allocator);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {
        @Bean
        @ConditionalOnSingleCandidate(IdAllocator.class)
        @ConditionalOnMissingBean
        IdAllocatorMeters idAllocatorMeters(IdAllocator allocator) {
            return new IdAllocatorMeters(allocator);
        }
    }
}
