package org.idallocator.service.cli;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.service.config.AllocatorSection;

/**
 * Reads the allocator's section of the configuration file that a command is given.
 *
 * @param type the class of the program's configuration
 * @param section gives the allocator's section of a configuration
 * @param defaultFile the path that is read when no file is named; when empty, one has to be
 */
public record SectionReader<C extends Configuration>(
        Class<C> type, Function<C, AllocatorSection> section, Optional<String> defaultFile) {
    private static final String PROPERTY_PREFIX = "dw";

    /** The same for a command that must be told its file. */
    SectionReader<C> withoutDefault() {
        return new SectionReader<>(type, section, Optional.empty());
    }

    /** The section of the file that a call names. */
    AllocatorSection read(Bootstrap<?> bootstrap, Namespace namespace) throws IOException, ConfigurationException {
        String file = ConfigFile.of(namespace).orElseThrow(() -> CommandException.misuse("name a configuration file"));
        return section.apply(type.cast(parse(bootstrap, file)));
    }

    private static <T extends Configuration> T parse(Bootstrap<T> bootstrap, String file)
            throws IOException, ConfigurationException {
        return bootstrap
                .getConfigurationFactoryFactory()
                .create(
                        bootstrap.getApplication().getConfigurationClass(),
                        bootstrap.getValidatorFactory().getValidator(),
                        bootstrap.getObjectMapper(),
                        PROPERTY_PREFIX)
                .build(bootstrap.getConfigurationSourceProvider(), file);
    }
}
