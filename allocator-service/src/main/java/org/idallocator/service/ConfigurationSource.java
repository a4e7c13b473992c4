package org.idallocator.service;

import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.FileConfigurationSourceProvider;
import io.dropwizard.configuration.ResourceConfigurationSourceProvider;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;

/** Opens configuration files, and the one inside the jar. */
final class ConfigurationSource implements ConfigurationSourceProvider {
    /** What stands for the embedded default, the {@code config/standalone.yml} that this was built with. */
    static final String BUILT_IN = "(built-in standalone.yml)";

    private static final String RESOURCE = "standalone.yml";

    private final ConfigurationSourceProvider files = new FileConfigurationSourceProvider();
    private final ConfigurationSourceProvider resources = new ResourceConfigurationSourceProvider();

    @Override
    public InputStream open(String path) throws IOException {
        return path.equals(BUILT_IN) ? resources.open(RESOURCE) : file(path);
    }

    private InputStream file(String path) throws IOException {
        try {
            return files.open(path);
        } catch (FileNotFoundException e) {
            throw new IOException("no such configuration file: " + path, e);
        }
    }
}
