package org.idallocator.service.testing;

import io.dropwizard.configuration.ConfigurationFactoryFactory;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.ServerCommand;
import io.dropwizard.core.setup.Bootstrap;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.service.AllocatorConfiguration;

/**
 * Dropwizard's {@code server} for a file that a test overrides. Refuses keys that nobody knows, as the service itself
 * does: where overrides have a prefix of their own, Dropwizard's support for tests passes over such keys, and a test
 * that misspells one would test nothing.
 */
public final class StrictServerCommand extends ServerCommand<AllocatorConfiguration> {
    private final String prefix;

    /** {@code prefix} is what the overrides begin with as system properties. */
    public StrictServerCommand(Application<AllocatorConfiguration> application, String prefix) {
        super(application);
        this.prefix = prefix;
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        refuseUnknownKeys(bootstrap);
        super.run(bootstrap, namespace);
    }

    private <T extends Configuration> void refuseUnknownKeys(Bootstrap<T> bootstrap) {
        ConfigurationFactoryFactory<T> strict = new DefaultConfigurationFactoryFactory<>();
        bootstrap.setConfigurationFactoryFactory(
                (type, validator, mapper, usual) -> strict.create(type, validator, mapper, prefix));
    }
}
