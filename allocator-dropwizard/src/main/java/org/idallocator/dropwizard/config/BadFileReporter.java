package org.idallocator.dropwizard.config;

import com.fasterxml.jackson.core.JacksonException;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.ConfigurationFactory;
import io.dropwizard.configuration.ConfigurationFactoryFactory;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.UndefinedEnvironmentVariableException;
import java.io.IOException;

/**
 * Reads configuration files with another factory, and reports what is wrong with a file. What that factory throws
 * because of the file, of an environment variable or of a system property becomes a {@link BadFileException}. An
 * {@link IOException} of another kind says that the file cannot be read at all, and is thrown on. So is every other
 * exception, because it is a mistake of the program.
 *
 * @param <C> the configuration
 */
public final class BadFileReporter<C> implements ConfigurationFactory<C> {
    private final ConfigurationFactory<C> factory;

    private BadFileReporter(ConfigurationFactory<C> factory) {
        this.factory = factory;
    }

    /** Wraps each factory that {@code factories} makes. */
    public static <C> ConfigurationFactoryFactory<C> wrap(ConfigurationFactoryFactory<C> factories) {
        return (type, validator, mapper, prefix) ->
                new BadFileReporter<>(factories.create(type, validator, mapper, prefix));
    }

    @Override
    public C build(ConfigurationSourceProvider provider, String path) throws IOException {
        return read(path, () -> factory.build(provider, path));
    }

    @Override
    public C build() throws IOException {
        return read("the configuration", factory::build);
    }

    private interface Reading<C> {
        C read() throws IOException, ConfigurationException;
    }

    private static <C> C read(String file, Reading<C> reading) throws IOException {
        try {
            return reading.read();
        } catch (ConfigurationException
                | JacksonException
                | UndefinedEnvironmentVariableException
                // Without a type of their own: a file without content, and a system property for a key that cannot be.
                | IllegalArgumentException
                | ArrayIndexOutOfBoundsException e) {
            throw new BadFileException(file, ConfigurationErrors.of(e), e);
        }
    }
}
