package org.idallocator.service.config;

import io.dropwizard.configuration.ConfigurationException;
import java.util.List;

/** A configuration file that cannot be used. Tells all mistakes that were found, each in one line. */
final class BadConfigurationException extends ConfigurationException {
    private static final long serialVersionUID = 1L;

    BadConfigurationException(String path, List<String> mistakes) {
        super(path, mistakes);
    }

    BadConfigurationException(String path, List<String> mistakes, Throwable cause) {
        super(path, mistakes, cause);
    }
}
