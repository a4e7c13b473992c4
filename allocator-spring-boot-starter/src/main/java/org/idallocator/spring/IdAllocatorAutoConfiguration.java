package org.idallocator.spring;

import java.time.Duration;
import javax.sql.DataSource;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.settings.AllocatorSettings;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The allocator of a program, and a generator to inject for each type of ID, such as {@code IdGenerator<Sno>}. Each
 * gives way to a bean of the program's own. Where the program has a bean {@link IdGenerators}, as a test has that draws
 * without ZooKeeper, there is no allocator, and the generators are those of that bean.
 */
@AutoConfiguration
@EnableConfigurationProperties(IdAllocatorProperties.class)
public final class IdAllocatorAutoConfiguration {
    private static final String ALLOCATOR = "idAllocator";

    /**
     * A replica that serves all of its schemes, unless the program does not wait for that. Spring closes it after the
     * web server has stopped and after all beans that use it.
     *
     * @throws BadValueException for a bad key, with what is allowed
     * @throws FencedException when it does not serve in time, and why
     */
    @Bean(name = ALLOCATOR, destroyMethod = "close")
    @ConditionalOnMissingBean(IdGenerators.class)
    @ConditionalOnBooleanProperty(name = IdAllocatorProperties.PREFIX + ".enabled", matchIfMissing = true)
    IdAllocator idAllocator(IdAllocatorProperties properties, ConfigurableListableBeanFactory beans)
            throws InterruptedException {
        closeBeforePools(beans);
        AllocatorSettings settings = properties.settings();
        Duration patience = properties.patience(settings);
        IdAllocator allocator = IdAllocator.connect(settings);
        try {
            if (!patience.isZero()) {
                allocator.awaitReady(patience);
            }
            return allocator;
        } catch (FencedException | InterruptedException e) {
            allocator.close();
            throw e;
        }
    }

    /** A pool of connections may hang as it closes; slots are given back before that, for others to have them. */
    private static void closeBeforePools(ConfigurableListableBeanFactory beans) {
        for (String pool : beans.getBeanNamesForType(DataSource.class, true, false)) {
            beans.registerDependentBean(pool, ALLOCATOR);
        }
    }

    /** A program need not serve the schemes of those that it does not inject: each is made when it is asked for. */
    @Configuration(proxyBeanMethods = false)
    static class Generators {
        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<Sno> snoGenerator(IdGenerators all) {
            return all.of(Sno.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<Muid> muidGenerator(IdGenerators all) {
            return all.of(Muid.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<EightByteId> eightByteIdGenerator(IdGenerators all) {
            return all.of(EightByteId.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<Uid60> uid60Generator(IdGenerators all) {
            return all.of(Uid60.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<Gid> gidGenerator(IdGenerators all) {
            return all.of(Gid.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<VolumeId> volumeIdGenerator(IdGenerators all) {
            return all.of(VolumeId.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<LogId> logIdGenerator(IdGenerators all) {
            return all.of(LogId.class);
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        IdGenerator<SegmentId> segmentIdGenerator(IdGenerators all) {
            return all.of(SegmentId.class);
        }
    }
}
