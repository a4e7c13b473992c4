package org.idallocator.service;

import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.ResourceConfigurationSourceProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Opens configuration files, and the configuration that is built into the jar. */
final class ConfigurationSource implements ConfigurationSourceProvider {
    /** The path that names the built-in configuration: the {@code config/standalone.yml} of the build. */
    static final String BUILT_IN = "(built-in standalone.yml)";

    private static final String RESOURCE = "standalone.yml";

    private final ConfigurationSourceProvider resources = new ResourceConfigurationSourceProvider();

    @Override
    public InputStream open(String path) throws IOException {
        return path.equals(BUILT_IN) ? resources.open(RESOURCE) : file(path);
    }

    private static InputStream file(String path) throws IOException {
        Path file = Path.of(path);
        if (Files.isDirectory(file)) {
            throw new IOException("the configuration file is a directory: " + path);
        }
        try {
            return Files.newInputStream(file);
        } catch (NoSuchFileException e) {
            throw new IOException("no such configuration file: " + path, e);
        } catch (AccessDeniedException e) {
            throw new IOException("the configuration file cannot be read, this user is not allowed to: " + path, e);
        }
    }
}
