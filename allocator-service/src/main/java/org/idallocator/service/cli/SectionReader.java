package org.idallocator.service.cli;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.config.AllocatorSection;

/**
 * Reads the allocator's section of the configuration file that a command is given. Thread-safe.
 *
 * @param <C> the program's configuration
 */
public final class SectionReader<C extends Configuration> {
    private static final String PROPERTY_PREFIX = "dw";

    private final Class<C> type;
    private final Function<C, AllocatorSection> section;
    private final Optional<String> defaultFile;

    /**
     * A reader for one program.
     *
     * @param type the class of the program's configuration
     * @param section gives the allocator's section of a configuration
     * @param defaultFile the path that is read when no file is named; when empty, one has to be
     */
    public SectionReader(Class<C> type, Function<C, AllocatorSection> section, Optional<String> defaultFile) {
        this.type = type;
        this.section = section;
        this.defaultFile = defaultFile;
    }

    /** Adds the file to a command, as the last argument and as {@code -c FILE}. */
    void addOption(Subparser subparser) {
        FileArgument.addTo(subparser, defaultFile);
    }

    /** The same reader for a command that must be told its file. */
    SectionReader<C> withoutDefault() {
        return new SectionReader<>(type, section, Optional.empty());
    }

    /** The section of the file that a call of the command was given. */
    AllocatorSection read(Bootstrap<?> bootstrap, Namespace namespace) throws IOException, ConfigurationException {
        String path = FileArgument.of(namespace, defaultFile)
                .orElseThrow(() -> new UsageException("name a configuration file"));
        return section.apply(type.cast(parse(bootstrap, path)));
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
