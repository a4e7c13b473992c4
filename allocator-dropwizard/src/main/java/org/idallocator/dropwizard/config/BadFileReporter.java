package org.idallocator.dropwizard.config;

import com.fasterxml.jackson.core.JacksonException;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.ConfigurationFactory;
import io.dropwizard.configuration.ConfigurationFactoryFactory;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import jakarta.validation.ValidationException;
import java.io.IOException;

/**
 * Reads configuration files with another factory, and reports what is wrong with a file. Whatever that factory throws
 * is the file's fault, and becomes a {@link BadFileException}. There are two exceptions: an {@link IOException} says
 * that the file cannot be read at all; a {@link ValidationException} says that a check itself is broken, which is a
 * mistake of the program.
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
        } catch (ValidationException e) {
            throw e;
        } catch (ConfigurationException | JacksonException | RuntimeException e) {
            throw new BadFileException(file, ConfigurationErrors.of(e), e);
        }
    }
}
